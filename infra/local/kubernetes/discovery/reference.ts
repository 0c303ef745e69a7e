import { textAt } from '../server/json.ts';

/** The group of a reference to an object: Cluster API's v1beta2 has a field for it, older ones an apiVersion. */
export const groupOfReference = (reference: unknown): string =>
  textAt(reference, 'apiGroup') || (textAt(reference, 'apiVersion').split('/')[0] ?? '');
