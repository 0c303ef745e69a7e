import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, type Namespace, type Node, type Pod, uidOf } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';
import type { World } from '../machinery/world.ts';
import { isNodeReady } from '../nodes/nodes.ts';
import { byNode, isReady } from '../workloads/pods.ts';
import { type Hook, type Machine, openShift } from './apis.ts';

const everything = 'quorum';

/**
 * An example of what protects a quorum: OpenShift's etcd Operator, where its namespace is. Each control plane Machine
 * has a hook of its own, and a member of etcd on its Node. The hook of a Machine in deletion goes when a member on
 * another Node has replaced its own.
 */
export function etcdQuorum(world: World): void {
  const machines = world.informer<Machine>(openShift.machines);
  const namespaces = world.informer<Namespace>('namespaces');
  const nodes = world.informer<Node>('nodes');
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('etcd-quorum', () => {
    const namespace = namespaces.get(etcdNamespace);
    if (namespace === undefined || isTerminating(namespace)) return;
    const controlPlane = [...machines.all()].filter(isControlPlane);
    for (const machine of controlPlane.filter((one) => !isTerminating(one))) {
      protect(world, machine);
      keepMember(world, nodes.get(machine.status?.nodeRef?.name ?? ''));
    }
    const next = nextToGo(controlPlane, (nodeName) => pods.in(byNode, nodeName).some(isVoter));
    if (next !== undefined) release(world, next);
  });
  const look = (): void => queue.add(everything);

  namespaces.onChange(({ key }) => key === etcdNamespace && look());
  machines.onChange(({ before, after }) => {
    if ([before, after].some((machine) => machine && isControlPlane(machine))) look();
  });
  nodes.onChange(({ before, after }) => {
    if (before === undefined || after === undefined || isNodeReady(before) !== isNodeReady(after)) look();
  });
  pods.onChange(({ before, after }) => {
    if ([before, after].some((pod) => pod && isMember(pod))) look();
  });
}

function protect(world: World, machine: Machine): void {
  if (!hasEtcdHook(machine)) setHooks(world, machine, [...hooksOf(machine), etcdHook]);
}

function release(world: World, machine: Machine): void {
  const left = hooksOf(machine).filter(({ name }) => name !== etcdHook.name);
  setHooks(world, machine, left);
}

const hooksOf = ({ spec }: Machine): Hook[] => spec?.lifecycleHooks?.preDrain ?? [];

/** Writes the whole list, so the write fails if another client has changed it in between. */
function setHooks(world: World, machine: Machine, hooks: readonly Hook[]): void {
  const preDrain = hooks.length > 0 ? hooks : null;
  world.patchUnchanged(openShift.machines, machine, { spec: { lifecycleHooks: { preDrain } } });
}

function keepMember(world: World, node: Node | undefined): void {
  if (node === undefined || isTerminating(node) || !isNodeReady(node)) return;
  const onNode = world.informer<Pod>('pods').in(byNode, node.metadata.name);
  if (!onNode.some(isMember)) world.create('pods', memberOn(node, world.settings.etcdSyncSeconds));
}

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
 * The control plane Machine that may go. Without it, there are as many voting members as ever. Of several, the one
 * that was asked first goes. While one goes no other may, even if it is on its way for long.
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

/** The static Pod of a member. It runs at once, and is Ready when it has all data from the leader. */
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
