import type { Dialect } from '../dialects/dialect.ts';
import { type NodeDeletion, type Observed, type Unknown, unknownBy } from '../dialects/gate.ts';
import type { ClusterState } from '../dialects/status-input.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { nodes } from '../kubernetes/resources.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { Environment } from '../runtime/environment.ts';
import { countMembers } from './cluster-machines.ts';
import { machineResource } from './machine.ts';
import { servedResource } from './snapshot-sources.ts';

/** A pause takes effect within this time: guards may rest on an answer that old. */
const guardAgeMilliseconds = 2_000;
/** A control plane goes seldom, and a cluster that is being deleted shows that itself. */
const controlPlaneAgeMilliseconds = 5_000;

/** What is known before the first read. */
export const unseenSurroundings: ClusterState = {
  cluster: undefined,
  controlPlane: { kind: 'unseen' },
  controlPlaneMembers: undefined,
  runsUs: false,
};

/** Reads what guards look at. Throws Unavailable. */
export async function surroundingsOf(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  wanted: { nodeDeletion: boolean },
): Promise<ClusterState> {
  const near = await nearSurroundings(env, machine, dialect);
  return wanted.nodeDeletion ? withControlPlane(env, machine, dialect, near) : near;
}

/**
 * What may stop all work on the Machine. A missing Cluster is an error: such a Machine cannot be judged. Throws
 * Unavailable.
 */
export async function nearSurroundings(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<ClusterState> {
  const cluster = await readCluster(env, machine, dialect, 'its Machines cannot be deleted');
  return { ...unseenSurroundings, cluster, runsUs: await runsUs(env, machine, dialect) };
}

/** Adds what decides whether the Machine's Node may be touched. Throws Unavailable. */
export async function withControlPlane(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  near: ClusterState,
): Promise<ClusterState> {
  const { cluster } = near;
  const controlPlane = await sightControlPlane(env, machine, dialect, cluster);
  const counting = countMembers(env, machine, dialect, cluster);
  return { ...near, controlPlane, controlPlaneMembers: await counting.catch(unknownUnlessMistaken) };
}

function unknownUnlessMistaken(error: unknown): Unknown {
  if (error instanceof Unavailable) return unknownBy(error);
  throw error;
}

/** The Node of that name is the Machine's only if it has the UID that the Machine names. Throws Unavailable. */
async function runsUs(env: Environment, machine: Machine, dialect: Dialect): Promise<boolean> {
  const name = env.settings.ownNode;
  if (!dialect.sparesOwnMachine || name === '' || machine.nodeName !== name) return false;
  const node = await env.cache.objects.get(`own-node|${name}`, guardAgeMilliseconds, () =>
    env.management.get(nodes, { name }),
  );
  return node !== undefined && node.metadata.uid === machine.nodeUid;
}

/** The Cluster that must exist; undefined if the Machine needs none. Throws Unavailable, with what follows `without` it. */
export async function readCluster(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  without: string,
): Promise<KubeObject | undefined> {
  const { namespace } = machine.ref;
  const name = dialect.clusterNameOf(machine);
  if (name === undefined) return undefined;
  const resource = { ...machineResource(dialect, machine.ref), plural: 'clusters' };
  const known = `cluster|${resource.group}|${namespace}/${name}`;
  const cluster = await env.cache.objects.get(known, guardAgeMilliseconds, () =>
    env.management.get(resource, { namespace, name }),
  );
  if (cluster === undefined) {
    // Somebody may create it in the next moment, together with its Machines.
    env.cache.objects.forget(known);
    throw new ClusterMissing(`Cluster ${namespace}/${name} does not exist: ${without}`);
  }
  return cluster;
}

async function sightControlPlane(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
  cluster: KubeObject | undefined,
): Promise<Observed> {
  const ref = cluster === undefined ? undefined : dialect.controlPlaneOf(cluster, machine.ref.namespace);
  if (ref === undefined) return { kind: 'unseen' };
  const key = `control-plane|${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
  try {
    const object = await env.cache.objects.get(key, controlPlaneAgeMilliseconds, () =>
      readReferred(env, ref),
    );
    return object === undefined ? { kind: 'absent' } : { kind: 'present', object };
  } catch (error) {
    return unknownUnlessMistaken(error);
  }
}

/** The object that a reference leads to. Throws Unavailable. */
export async function readReferred(env: Environment, ref: ObjectRef): Promise<KubeObject | undefined> {
  const resource = await servedResource(env.management, ref);
  return env.management.get(resource, { namespace: ref.namespace, name: ref.name });
}

/** Whether the phase touches the Node, or must know whether it may be touched. */
export function needsNodeDeletion(
  dialect: Dialect,
  saved: Phase | undefined,
  hasPreDrainHooks: boolean,
  machine: Machine,
): boolean {
  const phase = saved ?? dialect.phases[0];
  if (phase === undefined || hasPreDrainHooks || isBefore(phase, 'pre-terminate')) return true;
  if (phase === 'infrastructure') return machine.bootstrap === undefined;
  return phase === 'bootstrap' || phase === 'node';
}

/** Not asked: the phase does not touch the Node, so nothing is allowed. */
export const notAsked: NodeDeletion = { allowed: false, why: 'not asked for in this phase' };
/** A Machine names a Cluster object that is not there. The Machine cannot be judged, so nothing is done. */
export class ClusterMissing extends Unavailable {
  constructor(message: string) {
    super(message);
    this.name = 'ClusterMissing';
  }
}
