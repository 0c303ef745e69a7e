import { describe, expect, it } from 'vitest';
import { textAt } from '../../shared/dialects/fields.ts';
import { checkpointAnnotation } from '../../shared/machine/checkpoint.ts';
import { withoutClaims } from '../builders/without-claims.ts';
import type { Conditions } from './stage/conditions.ts';
import { Fleet, resources } from './stage/fleet.ts';

/** Requests take time, and so do their events. An event comes to another instance in the middle of a step. */
const slow = { latencyMilliseconds: 40, delayMilliseconds: 60 };

const names = (wave: number): string[] =>
  Array.from({ length: 10 }, (_, index) => `worker-${10 * wave + index}`);

/** Twenty Machines with five Pods each. */
async function fleetIn(conditions: Conditions, prepare: (fleet: Fleet) => void): Promise<Fleet> {
  const fleet = new Fleet({ ...slow, ...conditions }, {});
  fleet.cluster();
  for (const name of [...names(1), ...names(2)]) {
    fleet.worker(name);
    fleet.pods(name.replace('worker', 'web'), 5, name.replace('worker', 'node'), { grace: 2 });
  }
  await fleet.seconds(3);
  prepare(fleet);
  fleet.begin();
  return fleet;
}

/** Deletes ten Machines at once; how many seconds that takes. */
async function deleteAll(fleet: Fleet, wave: number): Promise<number> {
  const began = fleet.clock.now();
  for (const name of names(wave)) fleet.delete(name);
  for (const name of names(wave)) await fleet.gone(name);
  return (fleet.clock.now() - began) / 1_000;
}

interface Count {
  /** Of the second ten Machines, when all instances have long known their way. */
  seconds: number;
  requests: number;
  /** Of all Machines themselves. */
  writes: number;
  conflicts: number;
  /** Pods that were evicted more than once. */
  twice: number;
}

async function countOf(
  conditions: Conditions,
  prepare: (fleet: Fleet) => void = () => undefined,
): Promise<Count> {
  const fleet = await fleetIn(conditions, prepare);
  await deleteAll(fleet, 1);
  const before = fleet.requests.length;
  const seconds = await deleteAll(fleet, 2);
  fleet.end();
  expect(fleet.problems).toEqual([]);
  const { requests } = fleet;
  const writes = requests.filter(
    ({ verb, resource }) => verb === 'patch' && resource.startsWith(resources.machines),
  );
  const uids = requests
    .filter(({ resource, code }) => resource === 'pods/eviction' && code < 300)
    .map(({ body }) => textAt(body, 'deleteOptions', 'preconditions', 'uid'));
  return {
    seconds,
    requests: requests.length - before,
    writes: writes.length,
    conflicts: writes.filter(({ code }) => code === 409).length,
    twice: uids.length - new Set(uids).size,
  };
}

describe('several instances', () => {
  it.each([2, 3, 5])(
    'of which there are %i evict no Pod twice, and cost little more than one',
    async (instances) => {
      for (const seed of [1, 2]) {
        const [one, several] = [await countOf({ instances: 1, seed }), await countOf({ instances, seed })];
        expect(several.twice).toBe(0);
        expect(several.conflicts).toBeLessThanOrEqual(several.writes * 0.01);
        expect(several.seconds).toBeLessThanOrEqual(one.seconds * 1.1);
        expect(several.requests).toBeLessThanOrEqual(one.requests * 1.1);
      }
    },
  );

  it('without claims evict Pods twice, and meet each other', async () => {
    const conditions = { instances: 3, latencyMilliseconds: 80 };
    const { twice, conflicts } = await countOf(conditions, ({ stored }) => {
      stored.store = withoutClaims(stored.store);
    });
    expect(twice).toBeGreaterThan(0);
    expect(conflicts).toBeGreaterThan(10);
  });

  it('go on without claims while the store is away', async () => {
    const { twice, conflicts } = await countOf({ instances: 3, storeIsDown: true });
    expect(twice).toBeGreaterThan(0);
    expect(conflicts).toBeGreaterThan(10);
  });
});

const claimSeconds = 30;
const tickSeconds = 5;

async function secondsOf(conditions: Conditions): Promise<number> {
  const fleet = new Fleet({ ...slow, ...conditions }, {});
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.pods('web', 3, 'node-1', { grace: 2 });
  await fleet.seconds(3);
  fleet.begin();
  const began = fleet.clock.now();
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
  fleet.end();
  expect(fleet.problems).toEqual([]);
  return (fleet.clock.now() - began) / 1_000;
}

it('an instance that dies in the midst of a step delays its Machine by no more than its claim', async () => {
  const usual = await secondsOf({});
  const delays: number[] = [];
  for (let request = 1; request <= 25; request += 1)
    delays.push((await secondsOf({ diesAfterRequest: request })) - usual);
  expect(Math.max(...delays)).toBeLessThanOrEqual(claimSeconds + tickSeconds + 1);
});

const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/somebody';

/**
 * For how many milliseconds a deletion stays before its drain once its hook is gone. The hook goes so long after other
 * news.
 */
async function heldAfter(milliseconds: number, conditions: Conditions): Promise<number> {
  const fleet = new Fleet({ ...slow, ...conditions }, {});
  fleet.cluster();
  fleet.worker('worker-1', { metadata: { annotations: { [hook]: '' } } });
  await fleet.seconds(3);
  fleet.begin();
  fleet.delete('worker-1');
  await fleet.seconds(2);
  const machine = { metadata: { namespace: 'fleet', name: 'worker-1' } };
  const patch = (metadata: object) => fleet.server.cluster.patch(resources.machines, machine, { metadata });
  patch({ labels: { news: 'yes' } });
  await fleet.clock.advance(milliseconds);
  patch({ annotations: { [hook]: null } });
  const takenOff = fleet.clock.now();
  await fleet.until('the drain begins', () => {
    const { annotations } = fleet.server.cluster.get(resources.machines, 'fleet', 'worker-1')?.metadata ?? {};
    return annotations?.[checkpointAnnotation]?.includes('"phase":"pre-drain"') === false;
  });
  fleet.end();
  return fleet.clock.now() - takenOff;
}

it.each([1, 2, 3, 5])(
  'a hook that is taken off during a step is acted on within a second: %i instances',
  async (instances) => {
    const held: number[] = [];
    for (const milliseconds of [0, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200])
      for (const seed of [1, 2, 3]) held.push(await heldAfter(milliseconds, { instances, seed }));
    expect(Math.max(...held)).toBeLessThanOrEqual(1_000);
  },
);
