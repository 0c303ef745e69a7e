import type { KubeObject } from '../../kubernetes/objects/cluster.ts';

/** `namespace/name`, or the name alone for what has no namespace: the key of a queue and of an informer. */
export function keyOf(object: KubeObject): string {
  return toKey(object.metadata.namespace, object.metadata.name);
}

export function toKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

export function fromKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/');
  if (slash < 0) return { namespace: undefined, name: key };
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
