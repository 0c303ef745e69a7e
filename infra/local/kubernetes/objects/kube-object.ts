import { compact, isObject } from '../server/json.ts';
import type { KubeObject, ObjectMeta } from './cluster.ts';
import { badRequest } from './status.ts';

function isKubeObject(value: unknown): value is KubeObject {
  return isObject(value) && isObject(value.metadata);
}

/** The value as an object of Kubernetes. Throws ApiError 400 when it has no metadata. */
export function kubeObject(value: unknown): KubeObject {
  if (!isKubeObject(value)) throw badRequest('the object provided is unrecognized (must be of type Object)');
  return value;
}

/** The object with these fields of its metadata, and without those that are undefined. */
export const withMetadata = (
  object: KubeObject,
  fields: { [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): KubeObject => ({ ...object, metadata: compact<ObjectMeta>({ ...object.metadata, ...fields }) });

/** The lists and maps of metadata, where an empty one is as good as none. */
export function filledMetadata({ finalizers, ownerReferences, labels, annotations }: ObjectMeta) {
  return {
    finalizers: filledList(finalizers),
    ownerReferences: filledList(ownerReferences),
    labels: filledMap(labels),
    annotations: filledMap(annotations),
  };
}

function filledList<T>(list: T[] | undefined): T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

function filledMap<T extends object>(map: T | undefined): T | undefined {
  return map && Object.keys(map).length > 0 ? map : undefined;
}
