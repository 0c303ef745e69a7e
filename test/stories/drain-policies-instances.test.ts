import { describe, expect, it } from 'vitest';
import { recordAt } from '../../shared/dialects/fields.ts';
import type { BesideFleet } from './stage/beside/fleet.ts';
import type { ClusterStage } from './stage/cluster-stage.ts';
import type { Conditions } from './stage/conditions.ts';
import type { Fleet } from './stage/fleet.ts';
import { policyDefinitions } from './stage/hook-definitions.ts';
import type { OpenShiftFleet } from './stage/openshift.ts';
import { besidePeer, openShift, type Played, play } from './stage/story.ts';

/** Requests take time, and so do their events: an event comes to another instance in the middle of a step. */
const five: Conditions = { instances: 5, latencyMilliseconds: 40, delayMilliseconds: 60 };

const fifteen = Array.from({ length: 15 }, (_, index) => `worker-${index + 1}`);

/** All are deleted at once. The stage watches that no more than this begin at once. */
const allAtOnce = <F extends ClusterStage>(
  limit: number,
  put: (fleet: F, name: string) => void,
  names: readonly string[] = fifteen,
) => ({
  beside: policyDefinitions,
  scene(fleet: F) {
    for (const name of names) put(fleet, name);
    fleet.drainPolicy('workers', { maxUnavailable: limit });
    fleet.limitsBegun(limit);
  },
  async plot(fleet: F) {
    for (const name of names) fleet.delete(name);
    for (const name of names) await fleet.gone(name);
  },
});

function worker(fleet: Fleet, name: string): void {
  if (name === 'worker-1') fleet.cluster();
  fleet.worker(name);
}

function held(fleet: BesideFleet, name: string): void {
  if (name === 'worker-1') fleet.cluster();
  fleet.held(name);
}

const machineThatRuns = (fleet: OpenShiftFleet, name: string): void => fleet.machineThatRuns(name);

const workersLeft = ({ end }: Played): string[] =>
  Object.keys(recordAt(end, 'machines')).filter((name) => name.startsWith('worker'));

const inModes: [mode: string, playIn: (limit: number, conditions: Conditions) => Promise<Played>][] = [
  ['that carry deletions', (limit, conditions) => play(allAtOnce(limit, worker), conditions)],
  [
    "beside the API's own controller",
    (limit, conditions) => besidePeer.play(allAtOnce(limit, held), conditions),
  ],
  ['of OpenShift', (limit, conditions) => openShift.play(allAtOnce(limit, machineThatRuns), conditions)],
];

describe.each(inModes)('fifteen Machines deleted at once, by instances %s', (_mode, playIn) => {
  it('all go, one after the other', async () => {
    expect(workersLeft(await playIn(1, {}))).toEqual([]);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
  ])('all go with five instances, with random numbers of %i and %i at once', async (seed, limit) => {
    const played = await playIn(limit, { ...five, seed, repeats: seed === 2 ? 2 : 1 });
    expect(workersLeft(played)).toEqual([]);
  });
});

it('the store plays no part: with it down, and all instances replaced after each event, they go one by one', async () => {
  const conditions = { storeIsDown: true, restarts: true };
  const played = await play(allAtOnce(1, worker, fifteen.slice(0, 4)), conditions);
  expect(workersLeft(played)).toEqual([]);
});

it('who has begun is in the status, and who is gone leaves it as the next one begins', async () => {
  const seen: unknown[] = [];
  await play(
    {
      ...allAtOnce(1, worker),
      async plot(fleet: Fleet) {
        for (const name of ['worker-1', 'worker-2']) fleet.delete(name);
        await fleet.gone('worker-1');
        await fleet.gone('worker-2');
        const policy = fleet.server.cluster.get('drainpolicies.phaseout.dev', 'fleet', 'workers');
        seen.push(recordAt(policy, 'status')['begun']);
      },
    },
    {},
  );
  expect(seen).toMatchObject([[{ name: 'worker-2' }]]);
});
