import type { Dialect } from '../dialects/dialect.ts';
import { type WorkloadCluster, workloadName } from '../kubernetes/client.ts';
import { NoCredentials } from '../kubernetes/errors.ts';
import type { Machine } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import type { NodeFinder } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { otherClaims } from './cluster-machines.ts';
import { findNodeOfServer, nodeByProviderId, providerIdOf } from './find-node.ts';
import { hookSourcesFor } from './hook-sources.ts';
import { ownObjectsIn } from './own-objects.ts';
import { policyViewFor } from './policy-view.ts';
import { ClusterSnapshot } from './snapshot.ts';
import type { KnownDeletions, Reads, SnapshotSources } from './snapshot-sources.ts';
import { withControlPlane } from './surroundings.ts';

/** The Machine of a look, and what is known around it. */
type Looking = Pick<Subject, 'machine' | 'dialect' | 'surroundings'>;

/** The client of the cluster that has the Machine's Node. Throws NoCredentials if nothing names that cluster. */
export function workloadOf(
  env: Environment,
  { machine, dialect }: Pick<Looking, 'machine' | 'dialect'>,
): () => Promise<WorkloadCluster> {
  const workload = dialect.workload(machine);
  return async () => {
    if (workload !== undefined) return env.workloads.of(workload);
    throw new NoCredentials(`nothing says which cluster the Node of Machine ${machine.ref.name} is in`);
  };
}

/** A new look at the world for a Machine. */
export const openSnapshot = (env: Environment, looking: Looking, restart?: Restart): ClusterSnapshot =>
  new ClusterSnapshot(sourcesFor(env, looking, restart));

/** What a look for a Machine reads through. */
export function sourcesFor(
  env: Environment,
  looking: Looking,
  { beganAt, deletions, reads }: Restart = { beganAt: env.clock.now() },
): SnapshotSources {
  const { management, store, cache, clock, settings, actuator } = env;
  const { machine, dialect, surroundings } = looking;
  const workload = dialect.workload(machine);
  return {
    management,
    workload: workloadOf(env, looking),
    store,
    cache,
    clock,
    beganAt,
    deletions,
    reads,
    machineUid: machine.ref.uid,
    workloadName: workload === undefined ? '' : workloadName(workload),
    considersVolumeAttachments: settings.considerVolumeAttachments,
    hooks: hookSourcesFor(env, machine.ref),
    actions: settings.actions,
    policies: {
      list: (namespace, maxAge) => ownObjectsIn({ kind: 'DrainPolicy', namespace }, env, maxAge),
      now: () => policyViewFor(env, looking),
      taken: new Set(),
    },
    nodeFinder: nodeFinderFor(env, machine, dialect),
    nodeDeletion: async (hasNode) =>
      dialect.nodeDeletion(machine, await withControlPlane(env, machine, dialect, surroundings), hasNode),
    actuator,
    target: { machine: machine.raw, cluster: surroundings.cluster },
  };
}

/** What a step that starts once more knows from before. */
export interface Restart {
  beganAt: Instant;
  deletions?: KnownDeletions | undefined;
  reads?: Reads | undefined;
}

/** The searches for one Machine's Node, and what this instance remembers of them. */
function nodeFinderFor(env: Environment, machine: Machine, dialect: Dialect): NodeFinder {
  const { uid } = machine.ref;
  return {
    find: () => nodeByProviderId(env, machine, dialect),
    providerId: () => providerIdOf(env, machine),
    ofServer: (providerId) => findNodeOfServer(env, machine, dialect, providerId),
    otherClaims: () => otherClaims(env, machine, dialect),
    known: () => env.cache.notes(uid).ownNode,
    remember: (own) => env.cache.note(uid, { ownNode: own }),
  };
}
