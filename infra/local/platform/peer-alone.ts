import type { Instant } from '../../../shared/time/clock.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { startControllers } from '../controllers/index.ts';
import { toKey } from '../controllers/machinery/keys.ts';
import { clusterApi } from '../controllers/machines/apis.ts';
import type { ClusterName } from '../given/clusters.ts';
import { createApiServer } from '../kubernetes/server/api-server.ts';
import { load } from '../load/load.ts';
import { bringUp } from './bring-up.ts';
import { HurriedClock } from './fast-clock.ts';

/** How Cluster API's own controller alone takes one Machine away. */
export interface Alone {
  machine: ClusterName;
  /** Undefined if the Machine is there after hours. */
  seconds: number | undefined;
  /** How often it left the Machine alone for 20 seconds, for its Pods or volumes. */
  passes: number;
}

export interface AloneOptions {
  manifests: readonly Manifest[];
  /** The Machines that go, all at once. */
  machines: readonly ClusterName[];
  start: Instant;
  random: () => number;
}

const longestMilliseconds = 4 * 60 * 60_000;
/** In this time it puts its finalizer on. */
const readyMilliseconds = 1_000;

/**
 * Plays the same deletions without phaseout, in time of their own that takes no time. It rests on what the stand-in for
 * Cluster API's controller does. Throws ManifestUnreadable.
 */
export async function playPeerAlone({ manifests, machines, start, random }: AloneOptions): Promise<Alone[]> {
  const clock = new HurriedClock(start);
  const apiServer = createApiServer({ clock, random });
  const { unknownOwners } = load(apiServer, manifests, 'http://127.0.0.1');
  const { cluster } = apiServer;
  await bringUp({ apiServer, unknownOwners }, clock);
  const passes = new Map<string, number>();
  const onPeerPass = (key: string): void => void passes.set(key, (passes.get(key) ?? 0) + 1);
  const stop = startControllers(cluster, clock, { unknownOwners, peer: true, onPeerPass, report });
  await clock.passUntil(start + readyMilliseconds, () => false);
  const deletedAt = clock.now();
  const left = new Map(machines.map((machine) => [keyOf(machine), machine]));
  const goneAt = new Map<string, Instant>();
  const stopWatch = cluster.watch(clusterApi.machines, ({ type, object: { metadata } }) => {
    const key = toKey(metadata.namespace, metadata.name);
    if (type === 'DELETED' && left.delete(key)) goneAt.set(key, clock.now());
  });
  for (const { namespace, name } of machines)
    cluster.remove(clusterApi.machines, { metadata: { namespace, name } });
  await clock.passUntil(deletedAt + longestMilliseconds, () => left.size === 0);
  stopWatch();
  stop();
  return machines.map((machine) => {
    const at = goneAt.get(keyOf(machine));
    const seconds = at === undefined ? undefined : (at - deletedAt) / 1_000;
    return { machine, seconds, passes: passes.get(keyOf(machine)) ?? 0 };
  });
}

/** What fails in a play is no word to anybody. */
const report = (): void => undefined;

const keyOf = ({ namespace, name }: ClusterName): string => toKey(namespace, name);
