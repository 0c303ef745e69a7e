import { groupVersionOf } from '../../../../shared/kubernetes/objects.ts';
import type { KubeObject } from './cluster.ts';

/** The identity of an object in any version. */
export const identityOf = (object: KubeObject): string =>
  [
    groupVersionOf(object).group,
    object.kind,
    object.metadata.namespace ?? 'default',
    object.metadata.name,
  ].join('/');
