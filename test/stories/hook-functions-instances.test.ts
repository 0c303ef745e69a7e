import { describe, expect, it } from 'vitest';
import { textAt } from '../../shared/dialects/fields.ts';
import type { BesideFleet } from './stage/beside/fleet.ts';
import type { ClusterStage } from './stage/cluster-stage.ts';
import type { Conditions } from './stage/conditions.ts';
import type { Fleet } from './stage/fleet.ts';
import { hookDefinitions } from './stage/hook-definitions.ts';
import { besidePeer, play } from './stage/story.ts';

/** Requests take time, and so do their events: an event comes to another instance in the middle of a step. */
const five: Conditions = { instances: 5, latencyMilliseconds: 40, delayMilliseconds: 60 };

const names = ['worker-1', 'worker-2', 'worker-3'];
const answers = [
  { state: 'Working', message: 'moving 3 volumes' },
  { state: 'Failed', message: 'disk 4 is busy' },
  { state: 'Done', message: 'all moved' },
] as const;

interface Seen {
  /** Machine and attempt of each call that came to the function. */
  calls: string[];
  /** How many of them are no repeat, by their id. */
  distinct: number;
  /** What the history of each Machine says of the end of its turn. */
  ends: string[];
  /** Events on the Machines. */
  events: string[];
}

const threeWorkers = <F extends Fleet | BesideFleet>(
  put: (fleet: F, name: string) => void,
  seen: Seen[],
) => ({
  beside: hookDefinitions,
  scene(fleet: F) {
    fleet.cluster();
    for (const name of names) {
      put(fleet, name);
      fleet.pod(name.replace('worker', 'web'), name.replace('worker', 'node'));
    }
    fleet.deletionHook('move-data', { at: 'PreDrain' });
    fleet.hookFunctions.serve('move-data', ({ attempt }) => answers[attempt - 1]);
  },
  async plot(fleet: F) {
    const uids = names.map((name) => fleet.machine(name)?.metadata.uid ?? '');
    for (const name of names) fleet.delete(name);
    for (const name of names) await fleet.gone(name);
    seen.push(await seenIn(fleet, uids));
  },
});

async function seenIn(fleet: ClusterStage, uids: readonly string[]): Promise<Seen> {
  const { calls } = fleet.hookFunctions;
  const histories = await Promise.all(uids.map((uid) => fleet.stored.inner.history(uid)));
  return {
    calls: calls.map(({ machine, attempt }) => `${machine.name} ${attempt}`).toSorted(),
    distinct: new Set(calls.map(({ id }) => id)).size,
    ends: histories.flat().flatMap(({ reason, message }) => (reason === 'Done' ? message : [])),
    events: fleet.server.cluster
      .list('events')
      .map((event) => `${textAt(event, 'involvedObject', 'name')}: ${textAt(event, 'reason')}`)
      .toSorted(),
  };
}

const inModes: [mode: string, playIn: (conditions: Conditions, seen: Seen[]) => Promise<unknown>][] = [
  [
    'that carry deletions',
    (conditions, seen) =>
      play(
        threeWorkers((fleet: Fleet, name) => fleet.worker(name), seen),
        conditions,
      ),
  ],
  [
    "beside the API's own controller",
    (conditions, seen) =>
      besidePeer.play(
        threeWorkers((fleet: BesideFleet, name) => fleet.held(name), seen),
        conditions,
      ),
  ],
];

const callsOfEach = (times: number): string[] =>
  names.flatMap((name) =>
    [1, 2, 3].flatMap((attempt) => Array.from({ length: times }, () => `${name} ${attempt}`)),
  );

describe.each(inModes)('five instances %s', (_mode, playIn) => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [1, 2],
    [2, 2],
  ])(
    'ask a function once in its time and end its turn once, with random numbers of %i and %i of each event',
    async (seed, repeats) => {
      const seen: Seen[] = [];
      await playIn({ ...five, seed, repeats }, seen);
      expect(seen).toEqual([
        {
          calls: callsOfEach(repeats),
          distinct: 9,
          ends: names.map(() => 'DeletionHook move-data: all moved'),
          events: names.flatMap((name) => [
            `${name}: HookFailed`,
            `${name}: NodeVolumesDetached`,
            `${name}: SuccessfulDrainNode`,
          ]),
        },
      ]);
    },
  );
});
