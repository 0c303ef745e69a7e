import { fromKey, isTerminating, type Node, toKey, toTime, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byProviderId } from '../nodes/nodes.ts';
import { type Machine, openShift, v1alpha1 } from './apis.ts';
import { isSameServer } from './original-provider-id.ts';

const byOwnProviderId = ({ spec }: Machine): readonly string[] => (spec?.providerID ? [spec.providerID] : []);

/**
 * OpenShift: a Node is that of the one Machine with its provider id. Machines in deletion do not look for their Node,
 * but a Node that reports still finds them. Nothing takes a nodeRef away.
 */
export function openShiftNodeLinks(world: World): void {
  const machines = world.informer<Machine>(openShift.machines);
  const nodes = world.informer<Node>('nodes');

  const queue = world.queue('openshift-node-links', (key) => {
    const node = nodes.get(key);
    const [machine, ...others] = machines.in(byOwnProviderId, node?.spec?.providerID ?? '');
    if (node === undefined || machine === undefined || others.length > 0 || isTerminating(node)) return;
    // Two Nodes that both claim to be its server must not take turns without end.
    if (isLinkedElsewhere(machine, node)) return;
    refer(world, openShift.machines, machine, node);
    const annotation = 'machine.openshift.io/machine';
    const owner = `${machine.metadata.namespace}/${machine.metadata.name}`;
    if (node.metadata.annotations?.[annotation] === owner) return;
    world.patch('nodes', node, { metadata: { annotations: { [annotation]: owner } } });
  });

  const isLinkedElsewhere = ({ spec, status }: Machine, node: Node): boolean => {
    const linked = nodes.get(status?.nodeRef?.name ?? '');
    return linked !== undefined && linked !== node && linked.spec?.providerID === spec?.providerID;
  };

  nodes.onChange(({ key }) => queue.add(key));
  machines.onChange(({ after }) => {
    if (after === undefined || isTerminating(after)) return;
    for (const node of nodes.in(byProviderId, after.spec?.providerID ?? '')) queue.add(node.metadata.name);
  });
}

const owner = 'cluster.k8s.io/machine';
const clusterLabel = 'cluster.k8s.io/cluster-name';

/**
 * v1alpha1: a Node names its Machine in an annotation, and takes that back while it is going. A living Machine with a
 * cluster looks for a Node by its provider id.
 */
export function v1alpha1NodeLinks(world: World): void {
  const machines = world.informer<Machine>(v1alpha1.machines);
  const nodes = world.informer<Node>('nodes');

  const claims = world.queue('v1alpha1-node-claims', (key) => {
    const node = nodes.get(key);
    const machine = node && machines.get(ownerKeyOf(node));
    if (node === undefined || machine === undefined) return;
    if (!isTerminating(node)) return refer(world, v1alpha1.machines, machine, node);
    if (machine.status?.nodeRef?.name !== node.metadata.name) return;
    world.writeStatus(v1alpha1.machines, machine, { nodeRef: null });
  });
  const searches = world.queue('v1alpha1-node-searches', (key) => {
    const machine = machines.get(key);
    if (machine === undefined || isTerminating(machine) || machine.status?.nodeRef !== undefined) return;
    if (!machine.metadata.labels?.[clusterLabel]) return;
    const node = [...nodes.all()].find((one) => isServerOf(machine, one));
    if (node !== undefined && !isTerminating(node)) refer(world, v1alpha1.machines, machine, node);
  });

  nodes.onChange(({ key, after }) => {
    claims.add(key);
    if (after?.spec?.providerID) for (const machine of machines.keys()) searches.add(machine);
  });
  machines.onChange(({ key, after }) => {
    searches.add(key);
    if (after !== undefined)
      for (const node of nodes.all()) if (ownerKeyOf(node) === key) claims.add(node.metadata.name);
  });
}

function ownerKeyOf({ metadata }: Node): string {
  const { namespace, name } = fromKey(metadata.annotations?.[owner] ?? '');
  return toKey(namespace, name);
}

function isServerOf(machine: Machine, node: Node): boolean {
  const [own, other] = [machine.spec?.providerID, node.spec?.providerID];
  return Boolean(own && other && isSameServer(own, other));
}

function refer(world: World, resource: string, machine: Machine, node: Node): void {
  const nodeRef = { kind: 'Node', name: node.metadata.name, uid: uidOf(node) };
  const before = machine.status?.nodeRef;
  if (before?.name === nodeRef.name && before.uid === nodeRef.uid) return;
  world.writeStatus(resource, machine, { nodeRef, lastUpdated: toTime(world.clock.now()) });
}
