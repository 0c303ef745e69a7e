import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, type Node, type Pod, uidOf } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import { isReady } from '../workloads/pods.ts';
import type { Machine } from './machine-objects.ts';

export const etcdNamespace = 'openshift-etcd';
export const etcdHook = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };

const quorumSize = 3;

export const isControlPlane = ({ metadata }: Machine): boolean =>
  metadata.labels?.['machine.openshift.io/cluster-api-machine-role'] === 'master';

export const hasEtcdHook = ({ spec }: Machine): boolean =>
  (spec?.lifecycleHooks?.preDrain ?? []).some(({ name }) => name === etcdHook.name);

export const isMember = ({ metadata }: Pod): boolean =>
  metadata.namespace === etcdNamespace && metadata.labels?.['app'] === 'etcd';

/** A member that has all data: it votes. */
export const isVoter = (pod: Pod): boolean => isMember(pod) && isReady(pod) && !isTerminating(pod);

/**
 * The control plane Machine that may go: the one asked first of those whose place others have taken, so that without
 * it there are as many voting members as ever. While one goes no other may, even if it is on its way for long.
 */
export function nextToGo(
  controlPlane: readonly Machine[],
  hasVoter: (nodeName: string) => boolean,
): Machine | undefined {
  const going = controlPlane.filter(isTerminating);
  if (!going.every(hasEtcdHook)) return undefined;
  const votes = (machine: Machine): boolean => hasVoter(machine.status?.nodeRef?.name ?? '');
  return going
    .toSorted((one, other) => (askedAt(one) < askedAt(other) ? -1 : 1))
    .find(
      (machine) => controlPlane.filter((other) => other !== machine && votes(other)).length >= quorumSize,
    );
}

const askedAt = ({ metadata }: Machine): string => `${metadata.deletionTimestamp} ${metadata.name}`;

/** The static Pod of a member: it runs at once, and is Ready when it has all data from the leader. */
export function memberOn(node: Node, syncSeconds: number): KubeObject {
  const { name } = node.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `etcd-${name}`,
      namespace: etcdNamespace,
      labels: { app: 'etcd', etcd: 'true' },
      annotations: {
        [annotations.mirror]: `etcd-${uidOf(node)}`,
        'kubernetes.io/config.source': 'file',
        [annotations.readySeconds]: String(syncSeconds),
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: uidOf(node), controller: true }],
    },
    spec: {
      nodeName: name,
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'etcd', image: 'registry.example/etcd:1' }],
    },
  };
}
