import type { Instant } from '../../../shared/time/clock.ts';
import type { Manifest } from '../../terminal/manifests.ts';
import { startControllers } from '../controllers/index.ts';
import { toKey } from '../controllers/machinery/objects.ts';
import type { ClusterName } from '../given/clusters.ts';
import { createApiServer } from '../kubernetes/server/api-server.ts';
import { load } from '../load/load.ts';
import { createLocalCloud, providedMachines } from '../provider/cloud.ts';
import { bringUp } from './bring-up.ts';
import { HurriedClock } from './fast-clock.ts';

/** How the Machine API's own controller alone takes one Machine away. */
export interface Alone {
  machine: ClusterName;
  /** Undefined if the Machine is there after hours. */
  seconds: number | undefined;
  /** How often it left the Machine alone for 20 seconds, or drained in vain for so long. */
  passes: number;
}

export interface AloneOptions {
  manifests: readonly Manifest[];
  /** The Machines that go, all at once, and the group of their API. */
  machines: readonly (ClusterName & { group: string })[];
  start: Instant;
  random: () => number;
}

const longestMilliseconds = 4 * 60 * 60_000;
/** In this time it puts its finalizer on. */
const readyMilliseconds = 1_000;

/**
 * Plays the same deletions without phaseout, in time of their own that takes no time. It rests on what the stand-ins for the
 * controllers of the Machine APIs do. Throws ManifestUnreadable.
 */
export async function playPeerAlone({ manifests, machines, start, random }: AloneOptions): Promise<Alone[]> {
  const clock = new HurriedClock(start);
  const apiServer = createApiServer({ clock, random });
  const { unknownOwners } = load(apiServer, manifests, 'http://127.0.0.1');
  const { cluster } = apiServer;
  const provided = providedMachines(apiServer);
  const cloud = provided && createLocalCloud(provided, { clock, random });
  await bringUp({ apiServer, unknownOwners }, clock, cloud);
  const passes = new Map<string, number>();
  const onPeerPass = (key: string): void => void passes.set(key, (passes.get(key) ?? 0) + 1);
  const peers = { peer: true, openShiftPeer: true, onPeerPass };
  const stop = startControllers(cluster, clock, { unknownOwners, cloud, report, ...peers });
  await clock.passUntil(start + readyMilliseconds, () => false);
  const deletedAt = clock.now();
  const left = new Set(machines.map(placeOf));
  const goneAt = new Map<string, Instant>();
  const watches = [...new Set(machines.map(resourceOf))].map((resource) =>
    cluster.watch(resource, ({ type, object: { metadata } }) => {
      const place = `${resource} ${toKey(metadata.namespace, metadata.name)}`;
      if (type === 'DELETED' && left.delete(place)) goneAt.set(place, clock.now());
    }),
  );
  for (const machine of machines) {
    const { namespace, name } = machine;
    cluster.remove(resourceOf(machine), { metadata: { namespace, name } });
  }
  await clock.passUntil(deletedAt + longestMilliseconds, () => left.size === 0);
  for (const stopWatch of watches) stopWatch();
  stop();
  cloud?.close();
  return machines.map((machine) => {
    const at = goneAt.get(placeOf(machine));
    const seconds = at === undefined ? undefined : (at - deletedAt) / 1_000;
    return { machine, seconds, passes: passes.get(keyOf(machine)) ?? 0 };
  });
}

const resourceOf = ({ group }: { group: string }): string => `machines.${group}`;

const placeOf = (machine: ClusterName & { group: string }): string =>
  `${resourceOf(machine)} ${keyOf(machine)}`;

/** What fails in a play is no word to anybody. */
const report = (): void => undefined;

const keyOf = ({ namespace, name }: ClusterName): string => toKey(namespace, name);
