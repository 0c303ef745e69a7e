import type { KubeObject } from './cluster.ts';
import { isObject } from './json.ts';
import { badRequest } from './status.ts';

function isKubeObject(value: unknown): value is KubeObject {
  return isObject(value) && isObject(value.metadata);
}

/** The value as an object of Kubernetes. Throws ApiError 400 when it has no metadata. */
export function kubeObject(value: unknown): KubeObject {
  if (!isKubeObject(value)) throw badRequest('the object provided is unrecognized (must be of type Object)');
  return value;
}
