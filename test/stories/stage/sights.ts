import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';
import { checkpointAnnotation } from '../../../shared/machine/checkpoint.ts';

/** Says of a Pod what the story knows of it: the rules of the drain are not asked here. */
export const marks = { order: 'story/order', stays: 'story/stays' } as const;

export const orderOf = (pod: KubeObject): number => Number(pod.metadata.annotations?.[marks.order] ?? 0);

export const isReachable = (node: KubeObject): boolean =>
  !JSON.stringify(recordAt(node, 'status')['conditions'] ?? []).includes('"type":"Ready","status":"Unknown"');

export const nodeNamed = (machine: KubeObject): string => textAt(machine, 'status', 'nodeRef', 'name') ?? '';

export const isControlPlane = ({ metadata: { labels = {} } }: KubeObject): boolean =>
  ['control-plane', 'master'].some((role) => labels[`node-role.kubernetes.io/${role}`] !== undefined);

export const isCordoned = (node: KubeObject): boolean => recordAt(node, 'spec')['unschedulable'] === true;

/** The Pod that an eviction was about; undefined where it is gone. */
export function evictedBy(cluster: Cluster, path: string): KubeObject | undefined {
  const [, , , , namespace, , name = ''] = path.split('/');
  return cluster.get('pods', namespace, name);
}

export const nodeOf = (pod: KubeObject): string => textAt(pod, 'spec', 'nodeName') ?? '';

/** Pods of the Node that a drain has still to wait for. */
export function mustGo(cluster: Cluster, nodeName: string): KubeObject[] {
  const onNode = cluster.list('pods').filter((pod) => textAt(pod, 'spec', 'nodeName') === nodeName);
  const node = cluster.get('nodes', undefined, nodeName);
  // No kubelet is there to stop them: the request to go is enough.
  const isAsked = (pod: KubeObject): boolean =>
    node !== undefined && !isReachable(node) && pod.metadata.deletionTimestamp !== undefined;
  return onNode.filter((pod) => !isToStay(pod) && !isAsked(pod));
}

/** The story says so, or the Node's kubelet would only make it again. */
const isToStay = ({ metadata: { annotations = {} } }: KubeObject): boolean =>
  [marks.stays, 'kubernetes.io/config.mirror'].some((key) => annotations[key] !== undefined);

export function checkpointOf(machine: KubeObject): unknown {
  try {
    return JSON.parse(machine.metadata.annotations?.[checkpointAnnotation] ?? '{}');
  } catch {
    return {};
  }
}

/** Only a DrainPolicy has a Pod deleted past its budgets, and only that very Pod. */
export function podDeleteProblems(cluster: Cluster, path: string, body: unknown): string[] {
  const policies = 'drainpolicies.phaseout.dev';
  const all = cluster.resources().includes(policies) ? cluster.list(policies) : [];
  const isNamed = all.some((policy) =>
    JSON.stringify(recordAt(policy, 'spec')['blocked'] ?? []).includes('"Delete"'),
  );
  return [
    ...(textAt(body, 'preconditions', 'uid') === undefined ? [`${path} was deleted without a UID`] : []),
    ...(isNamed ? [] : [`${path} was deleted, and no policy says so`]),
  ];
}

/** Volumes that are attached to a Node, without those that may stay. */
export const attachedTo = (cluster: Cluster, nodeName: string): string[] =>
  cluster
    .list('volumeattachments.storage.k8s.io')
    .filter((one) => textAt(one, 'spec', 'nodeName') === nodeName)
    .map((one) => textAt(one, 'spec', 'source', 'persistentVolumeName') ?? '')
    .filter((volume) => !volume.startsWith('pv-stays'));
