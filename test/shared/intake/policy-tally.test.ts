import { describe, expect, test } from 'vitest';
import { sweep } from '../../../functions/sweep.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aDrainPolicy } from '../../builders/drain-policy.ts';
import { atCheckpoint, aWorld, type World } from '../../builders/world.ts';

const path = 'drainpolicies/default/workers';

// It is noon, and the night begins at ten.
const night = { windows: [{ schedule: '0 22 * * *', timeZone: 'UTC', duration: '6h' }] };
const ready = { type: 'NodeReady', status: 'True' };
const inLine = { type: 'Deleting', status: 'True', reason: 'WaitingForDrainPolicy', message: 'waits' };
const place = { uid: 'uid-1', name: 'm-1', since: timeAfter(-60) };

const at = (phase: 'pre-drain' | 'drain', status: object = {}): KubeObject =>
  aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase })), status: { ...status } });

/** A world in whose namespace there is one worker, and this DrainPolicy. */
function aWorldWith(policy: KubeObject, machine: KubeObject = at('pre-drain')): World {
  const world = aWorld(machine);
  world.management.put('drainpolicies', policy);
  return world;
}

const sweepAll = ({ env }: World) => sweep(env, 'all');
const statusIn = ({ management }: World) => management.at(path)?.['status'];

const noAnswer = () => {
  throw new Unavailable('no answer');
};

describe('a sweep of everything writes on a DrainPolicy', () => {
  test('how many Machines it selects and how many wait, and that it holds them', async () => {
    const world = aWorldWith(aDrainPolicy());
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({
      selected: 1,
      counting: 0,
      waiting: 1,
      conditions: [{ type: 'Ready', status: 'True', message: 'it holds the Machines that it selects' }],
    });
  });

  test('no Machine that has begun among those that wait', async () => {
    const world = aWorldWith(aDrainPolicy(), at('drain'));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ selected: 1, counting: 1, waiting: 0 });
  });

  test('when its next window opens', async () => {
    const world = aWorldWith(aDrainPolicy('workers', night));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ nextWindow: '2026-01-01T22:00:00Z' });
  });

  test.each([
    [
      'that it cannot be read',
      { maxUnavailable: 0 },
      'DrainPolicy workers cannot be read: spec.maxUnavailable: is no limit: it holds the Machines that it may be for',
    ],
    [
      'that none of its windows opens',
      { windows: [{ schedule: '0 0 30 2 *', timeZone: 'UTC', duration: '1h' }] },
      'none of its windows opens within 366 days',
    ],
  ])('%s', async (_what, spec, message) => {
    const world = aWorldWith(aDrainPolicy('workers', spec));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({ conditions: [{ status: 'False', message }] });
  });

  test('no Machine that a read proves gone, and one that has its place for long', async () => {
    const since = timeAfter(-7_200);
    const begun = [
      { uid: 'uid-gone', name: 'gone', since },
      { uid: 'uid-1', name: 'm-1', since },
    ];
    const world = aWorldWith(aDrainPolicy('workers', {}, begun), at('drain'));
    await sweepAll(world);
    expect(statusIn(world)).toMatchObject({
      begun: [{ name: 'm-1' }],
      conditions: [{ message: `it holds the Machines that it selects; m-1 has its place since ${since}` }],
    });
  });

  test('nothing, where the Machines could not all be listed', async () => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on('list machines', noAnswer);
    await sweepAll(world).catch(() => undefined);
    expect(statusIn(world)).toBeUndefined();
  });
});

describe('a sweep', () => {
  test('lists no DrainPolicies where there is no such kind', async () => {
    const world = aWorld();
    await sweepAll(world);
    expect(world.management.reads.filter((read) => read.includes('drainpolicies'))).toEqual([]);
  });

  test('goes on where they cannot be listed, and says so', async () => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on('list drainpolicies', noAnswer);
    expect(await sweepAll(world)).toHaveLength(1);
    expect(world.said).toContain('DrainPolicies could not be listed');
  });
});

const tickAfter = async (policy: KubeObject, machine: KubeObject) => {
  const world = aWorldWith(policy, machine);
  const told: string[] = [];
  world.env.ticks = { start: async () => void told.push('start'), rest: async () => void told.push('rest') };
  const commands = await sweepAll(world);
  return { told, commands: commands.length };
};

describe('the tick', () => {
  const soon = { windows: [{ schedule: '2 12 * * *', timeZone: 'UTC', duration: '6h' }] };
  const conditions = [ready, inLine];
  const broken = [{ ...ready, status: 'Unknown' }, inLine];

  test.each([
    ['rests while all that is deleted waits for a window', night, at('pre-drain', { conditions }), 'rest'],
    ['goes on where the window opens within three minutes', soon, at('pre-drain', { conditions }), 'start'],
    ['goes on for one that has begun', night, at('drain', { conditions }), 'start'],
    [
      'goes on for a broken one, which waits for no window',
      night,
      at('pre-drain', { conditions: broken }),
      'start',
    ],
    ['goes on for one that waits for a place', {}, at('pre-drain', { conditions }), 'start'],
    ['goes on for one that no step has looked at', night, at('pre-drain', { conditions: [ready] }), 'start'],
  ])('%s', async (_what, spec, machine, expected) => {
    const { told, commands } = await tickAfter(aDrainPolicy('workers', spec), machine);
    expect(told).toEqual([expected]);
    expect(commands).toBe(expected === 'rest' ? 0 : 1);
  });

  test('goes on for one that has its place, though the window is over', async () => {
    const policy = aDrainPolicy('workers', night, [place]);
    const { told } = await tickAfter(policy, at('pre-drain', { conditions }));
    expect(told).toEqual(['start']);
  });
});
