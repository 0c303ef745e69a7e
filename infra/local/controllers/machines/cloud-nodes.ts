import type { Server } from '../../provider/cloud.ts';
import { tellsOfServer } from '../../provider/identity.ts';
import { type Node, type Taint, toKey, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byProviderId, registerNode } from '../nodes/nodes.ts';
import { nodeSilencer } from '../nodes/server-power.ts';
import { type Machine, type MachineApi, openShift, v1alpha1 } from './apis.ts';

/**
 * A server of the cloud that starts to run joins the cluster as a Node. The Node of one that is gone falls silent.
 * Servers that Machines had from the start are taken over as they are.
 */
export function cloudNodes(world: World): void {
  const { cloud } = world.settings;
  if (cloud === undefined) return;
  for (const api of [openShift, v1alpha1]) {
    for (const machine of world.informer<Machine>(api.machines).all())
      if (tellsOfServer(machine)) cloud.adopt(machine);
  }
  const silence = nodeSilencer(world, 'servers');
  const queue = world.queue('cloud-nodes', (uid) => {
    const server = cloud.servers().find(({ machine }) => machine.uid === uid);
    if (server?.state === 'running') join(world, server);
  });
  const stop = cloud.onChange((server, isGone) => {
    if (!isGone) return queue.add(server.machine.uid);
    const node = nodeOf(world, server);
    if (node !== undefined) silence(node.metadata.name);
  });
  world.onStop(stop);
}

function nodeOf(world: World, { providerId, machine }: Server): Node | undefined {
  const nodes = world.informer<Node>('nodes');
  const [node] = nodes.in(byProviderId, providerId);
  return node ?? nodes.get(machineOf(world, machine)?.status?.nodeRef?.name ?? machine.name);
}

const apiOf = ({ apiVersion }: Server['machine']): MachineApi =>
  apiVersion.startsWith(`${v1alpha1.group}/`) ? v1alpha1 : openShift;

function machineOf(world: World, identity: Server['machine']): Machine | undefined {
  const key = toKey(identity.namespace, identity.name);
  const machine = world.informer<Machine>(apiOf(identity).machines).get(key);
  return machine !== undefined && uidOf(machine) === identity.uid ? machine : undefined;
}

function join(world: World, { providerId, machine: identity }: Server): void {
  const machine = machineOf(world, identity);
  if (machine === undefined) return;
  const { labels, annotations } = machine.spec?.metadata ?? {};
  const roles = rolesOf(machine);
  registerNode(world, {
    name: identity.name,
    providerID: providerId,
    labels: { ...Object.fromEntries(roles.map((role) => [`${rolePrefix}${role}`, ''])), ...labels },
    annotations: { ...annotations, [linkOf(identity)]: `${identity.namespace}/${identity.name}` },
    taints: [...(roles.includes('master') ? [masterTaint] : []), ...(machine.spec?.taints ?? [])],
  });
}

const rolePrefix = 'node-role.kubernetes.io/';
const masterTaint: Taint = { key: `${rolePrefix}master`, effect: 'NoSchedule' };

/** The annotation by which a Node names its Machine. */
const linkOf = (identity: Server['machine']): string =>
  apiOf(identity) === v1alpha1 ? 'cluster.k8s.io/machine' : 'machine.openshift.io/machine';

function rolesOf({ metadata, spec }: Machine): string[] {
  const role = metadata.labels?.['machine.openshift.io/cluster-api-machine-role'];
  if (role === 'master' || spec?.versions?.controlPlane) return ['master', 'control-plane'];
  return role === undefined ? [] : [role];
}
