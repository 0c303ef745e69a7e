import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

/** `cluster.x-k8s.io` and `v1beta2`; the group of core kinds is empty. */
export function groupAndVersion({ apiVersion = '' }: Pick<KubeObject, 'apiVersion'>) {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}

/** `Trigger phaseout/drain`: an object as people name it. Kubernetes and Knative both have a kind Service. */
export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { group } = groupAndVersion({ ...(apiVersion !== undefined && { apiVersion }) });
  const place = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
  return `${group === 'serving.knative.dev' ? 'Knative ' : ''}${kind ?? 'object'} ${place}${metadata.name}`;
}

/** What tells one object from all others, whatever version it is read in. */
export function identityOf(object: KubeObject): string {
  const { kind, metadata } = object;
  return [groupAndVersion(object).group, kind, metadata.namespace ?? '', metadata.name].join('/');
}
