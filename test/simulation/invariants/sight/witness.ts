import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../../shared/dialects/fields.ts';
import { management } from '../../platform/clusters.ts';
import type { MachinePlan, Scenario } from '../../scenario/model.ts';
import type { World } from '../../world.ts';
import type { Actor, Read } from './actor.ts';
import { addedIn } from './json-patch.ts';
import {
  bootstrapRef,
  checkpointKey,
  infrastructureRef,
  keyOf,
  machineIn,
  resourceOfReference,
} from './machine.ts';
import { isSoInAny, type Past, rememberPast, type View } from './past.ts';
import { type Reads, rememberReads } from './reads.ts';

/** What all invariants of one world know together: how it was, who has read what, and what belongs to whom. */
export interface Witness {
  world: World;
  past: Past;
  reads: Reads;
  machines: readonly MachinePlan[];
  /** Whose it is, or was last. */
  machineWithUid(uid: string): MachinePlan | undefined;
  machineNamed(resource: string, namespace: string, name: string): MachinePlan | undefined;
  machineOfNode(host: string, node: string): MachinePlan | undefined;
  /** The Machine that an infrastructure or bootstrap object is for. */
  machineOfObject(resource: string, namespace: string, name: string): MachinePlan | undefined;
  /** As it is now, or as it was last. */
  lastOf(plan: MachinePlan): KubeObject | undefined;
  /** Somebody else than an instance has written its checkpoint, or removed it: it is no evidence any more. */
  isTampered(machineUid: string): boolean;
  /**
   * It is so, or was at some moment that the actor may still see. That begins with its first reading of this in its
   * step. `grace`: for how long before the step it may remember, in milliseconds.
   */
  wasSoLately(actor: Actor, what: readonly Read[], isSo: (view: View) => boolean, grace?: number): boolean;
  /** The earliest moment that any of this may be of to the actor; undefined where it has never read it. */
  earliestOf(actor: Actor, what: readonly Read[], grace?: number): number | undefined;
}

const witnesses = new WeakMap<World, Witness>();

/** The same for every invariant of a world. The first call makes it listen before all of them. */
export function witnessOf(world: World, { machines }: Pick<Scenario, 'machines'>): Witness {
  const known = witnesses.get(world) ?? listen(world, machines);
  witnesses.set(world, known);
  return known;
}

/** What is remembered of guards may be this old when a step begins. */
const usualGrace = 1_000;

function listen(world: World, machines: readonly MachinePlan[]): Witness {
  const past = rememberPast(world);
  const reads = rememberReads(world);
  const byName = new Map(machines.map((plan) => [keyOf(plan), plan]));
  const byNode = new Map(machines.map((plan) => [`${plan.host} ${plan.node}`, plan]));
  const told = followMachines(world, machines, byName);
  const lastOf = (plan: MachinePlan): KubeObject | undefined =>
    machineIn(past.present, plan) ?? told.last.get(plan);
  const earliestOf = (actor: Actor, what: readonly Read[], grace = usualGrace): number | undefined => {
    const moments = what.map((read) => reads.earliest(actor, read, grace)).filter((at) => at !== undefined);
    return moments.length === 0 ? undefined : Math.min(...moments);
  };
  world.observers.push(reads, told.observer);
  return {
    world,
    past,
    reads,
    machines,
    machineWithUid: (uid) => machines.find((plan) => lastOf(plan)?.metadata.uid === uid),
    machineNamed: (resource, namespace, name) => byName.get(keyOf({ resource, namespace, name })),
    machineOfNode: (host, node) => byNode.get(`${host} ${node}`),
    machineOfObject: (resource, namespace, name) => told.owners.get(`${resource} ${namespace}/${name}`),
    lastOf,
    isTampered: (uid) => told.tampered.has(uid),
    earliestOf,
    wasSoLately(actor, what, isSo, grace) {
      if (isSo(past.present)) return true;
      const from = earliestOf(actor, what, grace);
      return from !== undefined && isSoInAny(past.since(from), isSo);
    },
  };
}

function followMachines(
  world: World,
  plans: readonly MachinePlan[],
  byName: ReadonlyMap<string, MachinePlan>,
) {
  const owners = new Map<string, MachinePlan>();
  const last = new Map<MachinePlan, KubeObject>();
  const written = new Set<string>();
  const tampered = new Set<string>();
  const note = (resource: string, machine: KubeObject): void => {
    const { namespace = '', name, uid = '', annotations } = machine.metadata;
    const plan = byName.get(keyOf({ resource, namespace, name }));
    if (plan === undefined) return;
    const before = last.get(plan);
    last.set(plan, machine);
    for (const reference of [infrastructureRef(machine), bootstrapRef(machine)]) {
      const place = textAt(reference, 'namespace') ?? namespace;
      // Here objects have the names of their Machines: a copy refers to what is another one's.
      if (textAt(reference, 'name') === name)
        owners.set(`${resourceOfReference(reference)} ${place}/${name}`, plan);
    }
    const text = annotations?.[checkpointKey];
    const isTakenAway =
      text === undefined &&
      before?.metadata.uid === uid &&
      before.metadata.annotations?.[checkpointKey] !== undefined;
    if (isTakenAway || (text !== undefined && !written.has(text))) tampered.add(uid);
  };
  for (const resource of new Set(plans.map((plan) => plan.resource))) {
    for (const machine of world.management.list(resource)) note(resource, machine);
    world.management.watch(resource, ({ object }) => note(resource, object));
  }
  const observer = {
    before: ({ host, verb, body }: { host: string; verb: string; body: unknown }): void => {
      const text =
        host === management && verb === 'patch'
          ? (textAt(body, 'metadata', 'annotations', checkpointKey) ?? addedIn(body, checkpointKey))
          : undefined;
      if (text !== undefined) written.add(text);
    },
  };
  return { owners, last, tampered, observer };
}

/** Names of what is read of a Machine. */
export const machineRead = ({ resource, namespace, name }: MachinePlan): Read => ({
  host: management,
  resource,
  namespace,
  name,
});

export const podsRead = ({ host, node = '' }: MachinePlan): Read => ({
  host,
  resource: 'pods',
  namespace: '',
  fieldSelector: `spec.nodeName=${node}`,
});

export const nodeRead = ({ host, node = '' }: MachinePlan): Read => ({
  host,
  resource: 'nodes',
  namespace: '',
  name: node,
});

export const clusterRead = (machine: KubeObject): Read => ({
  host: management,
  resource: machine.apiVersion?.startsWith('cluster.k8s.io/')
    ? 'clusters.cluster.k8s.io'
    : 'clusters.cluster.x-k8s.io',
  namespace: machine.metadata.namespace,
  name:
    textAt(machine, 'spec', 'clusterName') ?? machine.metadata.labels?.['cluster.k8s.io/cluster-name'] ?? '',
});
