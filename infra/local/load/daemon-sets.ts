import type { KubeObject } from '../kubernetes/cluster.ts';
import { objectOf } from '../kubernetes/json.ts';

/**
 * DaemonSets that Pods belong to, made from those Pods: without them a drain would have to evict what it must leave.
 * Those that are among the manifests win.
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
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: owner.name, namespace, uid: owner.uid },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  ];
}
