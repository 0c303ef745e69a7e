import type { KubeObject } from './objects.ts';

/** `cluster.x-k8s.io` and `v1beta2`; the group of core kinds is empty. */
export function groupVersionOf({ apiVersion = '' }: Pick<KubeObject, 'apiVersion'>): {
  group: string;
  version: string;
} {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1) };
}
