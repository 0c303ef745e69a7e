import { textFields } from './shape.ts';

/** A reference as core Kubernetes has it, with everything one may say of an object. */
export const objectReference = textFields(
  'apiVersion',
  'fieldPath',
  'kind',
  'name',
  'namespace',
  'resourceVersion',
  'uid',
);
