import type { KubeObject, ObjectMeta } from '../../../infra/local/kubernetes/objects/cluster.ts';

export const object = (
  apiVersion: string,
  kind: string,
  metadata: ObjectMeta,
  rest: object = {},
): KubeObject => ({ apiVersion, kind, metadata, ...rest });
