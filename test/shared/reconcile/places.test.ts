import { describe, expect, test } from 'vitest';
import { preDrain } from '../../../functions/pre-drain.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aDrainPolicy } from '../../builders/drain-policy.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const policyPath = 'drainpolicies/default/workers';
const placeWrite = `patch ${policyPath}/status`;
const checkpoint = aCheckpoint({ seq: 1, phase: 'pre-drain' });
const waiting = (): KubeObject => aRawMachine({ annotations: atCheckpoint(checkpoint) });
const entry = (name: string) => ({ uid: `uid-of-${name}`, name, since: timeAfter(-60) });

function aWorldWith(...policies: KubeObject[]): World {
  const world = aWorld(waiting());
  for (const policy of policies) world.management.put('drainpolicies', policy);
  return world;
}

const noAnswer = (): never => {
  throw new Unavailable('no answer');
};

const step = ({ env }: World) => reconcilePhase(env, preDrain, aCommand({ phase: 'pre-drain', seq: 1 }));

const begunIn = ({ management }: World, path = policyPath): unknown =>
  recordAt(management.at(path), 'status')['begun'];

/** What the Machine waits for; undefined where it has passed the wait. */
const heldBy = (world: World): string | undefined =>
  recordAt(savedCheckpoint(world))['phase'] === 'pre-drain' ? deletingCondition(world)?.message : undefined;

describe('a Machine takes its place', () => {
  test('before its checkpoint says that it has passed the wait', async () => {
    const world = aWorldWith(aDrainPolicy());
    await step(world);
    expect(begunIn(world)).toMatchObject([{ uid: 'uid-1', name: 'm-1' }]);
    expect(heldBy(world)).toBeUndefined();
    const writes = world.log.filter((call) => call.startsWith('patch'));
    expect(writes.slice(0, 2)).toEqual([placeWrite, 'patch machines/default/m-1']);
  });

  test('once more, after another one has changed the policy meanwhile', async () => {
    const world = aWorldWith(aDrainPolicy('workers', { maxUnavailable: 2 }));
    world.management.on(placeWrite, () =>
      world.management.change(policyPath, { status: { begun: [entry('other')] } }),
    );
    world.management.put('machines', aRawMachine({ metadata: { name: 'other', uid: 'uid-of-other' } }));
    await step(world);
    expect(begunIn(world)).toMatchObject([{ name: 'other' }, { name: 'm-1' }]);
    expect(heldBy(world)).toBeUndefined();
  });

  test('not where the other one has taken the last', async () => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on(placeWrite, () =>
      world.management.change(policyPath, { status: { begun: [entry('other')] } }),
    );
    world.management.put('machines', aRawMachine({ metadata: { name: 'other', uid: 'uid-of-other' } }));
    await step(world);
    expect(begunIn(world)).toMatchObject([{ name: 'other' }]);
    expect(heldBy(world)).toBe('Waiting for DrainPolicy workers: at most 1 at once; begun: other');
  });

  test('in place of one that a read proves gone', async () => {
    const world = aWorldWith(aDrainPolicy('workers', {}, [entry('other')]));
    await step(world);
    expect(world.management.reads).toContain('get machines/default/other');
    expect(begunIn(world)).toMatchObject([{ name: 'm-1' }]);
  });

  test('not in place of one of which that cannot be read', async () => {
    const world = aWorldWith(aDrainPolicy('workers', {}, [entry('other')]));
    world.management.on('get machines/default/other', noAnswer);
    await step(world);
    expect(begunIn(world)).toMatchObject([{ name: 'other' }]);
    expect(heldBy(world)).toBeDefined();
  });
});

describe('a Machine does not begin', () => {
  test('where its place is refused', async () => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on(placeWrite, () => ({ kind: 'refused', code: 403, message: 'forbidden' }), 9);
    await step(world);
    expect(heldBy(world)).toBeDefined();
    expect(world.log.filter((call) => call.includes('nodes'))).toEqual([]);
  });

  test('where its place is not what was stored', async () => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on(placeWrite, () => ({ kind: 'written', object: aDrainPolicy() }), 9);
    await step(world);
    expect(heldBy(world)).toBeDefined();
  });

  test.each(['list drainpolicies', 'list machines'])('where %s fails', async (call) => {
    const world = aWorldWith(aDrainPolicy());
    world.management.on(call, noAnswer, 9);
    await step(world);
    expect(begunIn(world)).toBeUndefined();
    expect(heldBy(world)).toBeDefined();
  });
});

test('what was taken is given back once the Machine is written, where another policy has no place left', async () => {
  const world = aWorldWith(aDrainPolicy(), aDrainPolicy('z', {}, [entry('other')]));
  world.management.change(policyPath, { status: { begun: [{ ...entry('m-1'), uid: 'uid-1' }] } });
  world.management.put('machines', aRawMachine({ metadata: { name: 'other', uid: 'uid-of-other' } }));
  await step(world);
  const writes = world.log.filter((call) => call.startsWith('patch'));
  expect(writes.slice(0, 2)).toEqual(['patch machines/default/m-1', placeWrite]);
  expect(begunIn(world)).toEqual([]);
  expect(savedCheckpoint(world)).toMatchObject({ phase: 'pre-drain', seq: 2 });
  expect(heldBy(world)).toBe('Waiting for DrainPolicy z: at most 1 at once; begun: other');
});
