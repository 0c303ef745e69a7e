import { isTerminating, type Namespace, type Node, type Pod } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isNodeReady } from '../nodes/nodes.ts';
import { byNode } from '../workloads/pods.ts';
import { openShift } from './apis.ts';
import {
  etcdHook,
  etcdNamespace,
  hasEtcdHook,
  isControlPlane,
  isMember,
  isVoter,
  memberOn,
  nextToGo,
} from './etcd-members.ts';
import type { Hook, Machine } from './machine-objects.ts';

const everything = 'quorum';

/**
 * An example of what protects a quorum: OpenShift's etcd Operator, where its namespace is. Each control plane Machine
 * has a hook of its own, and a member of etcd on its Node. The hook of one that is being deleted goes when a member on
 * another Node has taken the place of its own.
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
