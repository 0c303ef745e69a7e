import type { Key, Resource, Selection } from '../../kubernetes/client.ts';

/** Where a resource lives: its path, and how messages and counters name it. */
export interface Address {
  path: string;
  /** `namespaces/default/pods/a`, `machines.cluster.x-k8s.io`: for people. */
  label: string;
  /** `pods/eviction`, `machines.cluster.x-k8s.io`: the resource alone, for counting. */
  resource: string;
}

export function addressOf(resource: Resource, key: Key, subresource?: string): Address {
  const of = collectionOf(resource, key.namespace);
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  return {
    path: `${of.path}/${encodeURIComponent(key.name)}${suffix}`,
    label: `${of.label}/${key.name}${suffix}`,
    resource: `${of.resource}${suffix}`,
  };
}

export function collectionOf(resource: Resource, namespace?: string): Address {
  const within = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  const name = resourceName(resource);
  return {
    path: `${versionPath(resource.group, resource.version)}/${within}${resource.plural}`,
    label: namespace === undefined ? name : `namespaces/${namespace}/${name}`,
    resource: name,
  };
}

/** The core group lives apart from all others. */
export function versionPath(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function queryOf(selection: Selection, more: Record<string, string | undefined>): string {
  const { labelSelector, fieldSelector } = selection;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ labelSelector, fieldSelector, ...more })) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.toString();
}

function resourceName({ group, plural }: Resource): string {
  return group === '' ? plural : `${plural}.${group}`;
}
