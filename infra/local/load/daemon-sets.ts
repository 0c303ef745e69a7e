import { groupVersionOf } from '../../../shared/kubernetes/objects.ts';
import type { KubeObject } from '../kubernetes/objects/cluster.ts';
import { objectOf } from '../kubernetes/server/json.ts';

/**
 * DaemonSets that Pods belong to, made from those Pods: without them a drain would have to evict what it must leave.
 * Those that are among the manifests win. Each is of its owner's own group: a drain asks for those of `apps` alone.
 */
export function daemonSetsOf(objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(({ kind }) => kind === 'Pod').flatMap(daemonSetOf);
}

function daemonSetOf({ metadata, spec }: KubeObject): KubeObject[] {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner?.kind !== 'DaemonSet') return [];
  const { nodeName: _nodeName, ...podSpec } = objectOf(spec);
  const labels = metadata.labels ?? {};
  const namespace = metadata.namespace ?? 'default';
  return [
    {
      // Versions of one group are the same object, and here `apps` is served at this one.
      apiVersion: groupVersionOf(owner).group === 'apps' ? 'apps/v1' : owner.apiVersion,
      kind: 'DaemonSet',
      metadata: { name: owner.name, namespace, uid: owner.uid },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  ];
}

/** Such a DaemonSet by name, and what it does to its Pods. */
export function sayDaemonSet({ apiVersion, metadata }: KubeObject): string {
  const name = `DaemonSet ${metadata.namespace}/${metadata.name}`;
  const isOfApps = groupVersionOf({ apiVersion: apiVersion ?? '' }).group === 'apps';
  return isOfApps
    ? `${name} (its Pods stay on their Nodes)`
    : `${name} of ${apiVersion} (a drain asks for DaemonSets of apps/v1 alone, so its Pods are evicted)`;
}
