import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { finalize } from '../../../functions/finalize.ts';
import { preDrain } from '../../../functions/pre-drain.ts';
import { phaseFunctions } from '../../../infra/host/phases.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

const tooLong = 'metadata.annotations: Too long: must have at most 262144 bytes';
const refusing = (code: number, message: string) => (): WriteOutcome => ({ kind: 'refused', code, message });

const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'changed' });

function refuseCheckpoints({ management }: World): void {
  management.on(`patch ${machinePath}`, refusing(422, tooLong), 99);
}

const why = `the checkpoint could not be written: ${tooLong}`;

const eventsOf = async ({ management }: World) =>
  (await management.list({ group: '', version: 'v1', plural: 'events' })).items.map(
    ({ type, reason, message }) => `${String(type)} ${String(reason)}: ${String(message)}`,
  );

const dueAt = async ({ env }: World, seconds: number) =>
  (await env.store.due(after(seconds), 10)).map(({ at }) => at);

describe('a checkpoint that is refused', () => {
  test('is told on the Machine, in an Event, in the log, and to who listens, and the event is answered', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    const result = await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(result).toMatchObject({
      facts: [{ kind: 'failed', reason: 'InternalError', error: why }],
    });
    expect(result.next).toBeUndefined();
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message: why });
    expect(await eventsOf(world)).toEqual([`Warning FailedDelete: error deleting Machine: ${why}`]);
    expect(world.said).toEqual(['Machine could not be written']);
    expect(savedCheckpoint(world)).toBeUndefined();
    expect(world.log).toContain('history waited');
  });

  test('is told so where a webhook keeps it off and the API server calls it written: nothing goes on', async () => {
    const world = aWorld();
    const { management } = world;
    management.on(
      `patch ${machinePath}`,
      () => ({ kind: 'written', object: management.at(machinePath)! }),
      99,
    );
    const result = await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(result.next).toBeUndefined();
    const message =
      'the checkpoint could not be written: it is not what was stored; a webhook may keep the annotation off';
    expect(result.facts).toMatchObject([{ kind: 'failed', error: message }]);
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message });
    expect(await dueAt(world, 60)).toEqual([after(15)]);
  });

  test('is told so where a webhook does not answer whom the API server has to ask', async () => {
    const world = aWorld();
    const unanswered =
      'PATCH machines/m-1: 500 InternalError Internal error occurred: failed calling webhook "validation.machine.cluster.x-k8s.io": no endpoints available';
    world.management.on(`patch ${machinePath}`, () => {
      throw new Unavailable(unanswered);
    });
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    const message = `the checkpoint could not be written: ${unanswered}`;
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message });
    expect(await eventsOf(world)).toEqual([`Warning FailedDelete: error deleting Machine: ${message}`]);
    expect(await dueAt(world, 60)).toEqual([after(15)]);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'volume-detach' });
  });

  test('is no refusal where the API server has failed otherwise: the event is to be delivered again', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, () => {
      throw new Unavailable('500 etcdserver: leader changed');
    });
    await expect(reconcilePhase(world.env, drain, aCommand({ seq: 0 }))).rejects.toThrow('leader changed');
  });

  test('starts no time limit of a phase that was passed and could not be saved', async () => {
    const at = aCheckpoint({ seq: 1, phase: 'drain' });
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(at) }));
    world.env.phaseOf = (name) => phaseFunctions[name];
    refuseCheckpoints(world);
    await reconcilePhase(world.env, drain, aCommand({ seq: 1 }));
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message: why });
    const { status } = world.management.at(machinePath)!;
    expect(recordAt(status, 'deletion')['waitForNodeVolumeDetachStartTime']).toBeUndefined();
  });

  test('has nothing done to the Node', async () => {
    const world = aWorld();
    world.workload.change('nodes/node-1', { spec: { unschedulable: null } });
    refuseCheckpoints(world);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(world.log.filter((line) => line.includes('nodes/'))).toEqual([]);
  });

  test('is told once: the next try changes nothing', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    world.time.now += 60_000;
    const { facts } = await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(facts).toEqual([]);
    expect(world.log.filter((line) => line.endsWith('/status'))).toHaveLength(1);
    expect(await eventsOf(world)).toHaveLength(1);
  });

  test('is not told again at once, whatever words another instance has for it', async () => {
    const world = aWorld();
    const refused = ['a', 'b', 'c', 'd'].map((words) => refusing(403, words));
    world.management.on(`patch ${machinePath}`, () => refused.shift()?.(), 4);
    const another = world.another();
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    await reconcilePhase(another, drain, aCommand({ seq: 0 }));
    world.time.now += 3_999;
    expect(await reconcilePhase(world.env, drain, aCommand({ seq: 0 }))).toEqual({ facts: [] });
    expect(deletingCondition(world)?.message).toBe('the checkpoint could not be written: b');
    expect(await dueAt(world, 100)).toEqual([after(15)]);
    world.time.now += 1;
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(deletingCondition(world)?.message).toBe('the checkpoint could not be written: d');
  });

  test('is told though the Machine has changed meanwhile', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    world.management.on(`patch ${machinePath}/status`, conflict);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message: why });
  });

  test('is told where a deletion is to begin at a later phase, too', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    await reconcilePhase(world.env, preDrain, aCommand({ phase: 'pre-drain', seq: 0 }));
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message: why });
  });

  test('is told by an Event and the log where the status is refused as well', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    world.management.on(`patch ${machinePath}/status`, refusing(403, 'no status'), 99);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(deletingCondition(world)).toBeUndefined();
    expect(await eventsOf(world)).toEqual([`Warning FailedDelete: error deleting Machine: ${why}`]);
    expect(world.said).toEqual(['Machine could not be written', 'Status was refused']);
  });

  test.each([
    [10, 5],
    [100, 25],
    [299, 60],
    [3_600, 60],
  ])('is tried again %i s after the deletion in %i s: ever more slowly', async (seconds, again) => {
    const world = aWorld();
    refuseCheckpoints(world);
    world.time.now = after(seconds);
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(await dueAt(world, 5_000)).toEqual([after(seconds + again)]);
    expect(world.kept.at(-1)?.until).toEqual([{ kind: 'time', at: after(seconds + again) }]);
  });

  test('is not tried sooner for a look that was set before', async () => {
    const world = aWorld();
    refuseCheckpoints(world);
    world.time.now = after(3_600);
    await world.env.store.schedule({ machine: aCommand().machine, at: after(3_605), failures: 0 });
    await reconcilePhase(world.env, drain, aCommand({ seq: 0 }));
    expect(await dueAt(world, 5_000)).toEqual([after(3_660)]);
  });

  test('in the midst of a deletion counts from the start of its phase, and leaves the Machine where it is', async () => {
    const begun = aCheckpoint({ since: timeAfter(3_590) });
    const status = { deletion: { nodeDrainStartTime: timeAfter(3_590) } };
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun), status }));
    refuseCheckpoints(world);
    world.time.now = after(3_600);
    const { facts, next } = await reconcilePhase(world.env, drain, aCommand());
    expect(facts.map(({ kind }) => kind)).toEqual(['failed']);
    expect(next).toBeUndefined();
    expect(savedCheckpoint(world)).toEqual(begun);
    expect(await dueAt(world, 5_000)).toEqual([after(3_605)]);
  });
});

test('a checkpoint that could not be written for another reason is left to who delivers the event', async () => {
  const world = aWorld();
  world.management.on(`patch ${machinePath}`, () => {
    throw new Unavailable('no answer');
  });
  await expect(reconcilePhase(world.env, drain, aCommand({ seq: 0 }))).rejects.toThrow('no answer');
  expect(deletingCondition(world)).toBeUndefined();
});

const run = (world: World) => reconcilePhase(world.env, finalize, aCommand({ phase: 'finalize', seq: 6 }));

describe('a finalizer that may not go', () => {
  const last = aCheckpoint({ phase: 'finalize', seq: 6, since: timeAfter(9) });
  const no = 'admission webhook "guard.example.com" denied the request: not yet';
  const message = `the finalizer could not be removed: ${no}`;

  const aLastStep = (): World => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
    world.management.on(`json-patch ${machinePath}`, refusing(403, no), 2);
    return world;
  };
  test('is told: that the deletion is completed does not stand there without the reason', async () => {
    const world = aLastStep();
    const { facts } = await run(world);
    expect(facts).toMatchObject([{ kind: 'failed', error: message }]);
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message });
    expect(await eventsOf(world)).toEqual([`Warning FailedDelete: error deleting Machine: ${message}`]);
    expect(world.env.cache.isGone('uid-1')).toBe(false);
    expect(await dueAt(world, 100)).toEqual([after(15)]);
  });

  test('is tried again without a word to the contrary, and goes in the end', async () => {
    const world = aLastStep();
    await run(world);
    world.log.length = 0;
    world.time.now += 5_000;
    expect(await run(world)).toEqual({ facts: [] });
    expect(world.log.filter((line) => line.startsWith('patch'))).toEqual([]);
    world.time.now += 5_000;
    expect((await run(world)).facts).toMatchObject([{ kind: 'completed' }]);
    expect(world.management.at(machinePath)).toBeUndefined();
  });

  /** Refused once, ten seconds ago. */
  const heldByOthers = async (): Promise<World> => {
    const raw = aRawMachine({ annotations: atCheckpoint(last) });
    raw.metadata.finalizers = [...(raw.metadata.finalizers ?? []), 'other.example/held'];
    const world = aWorld(raw);
    world.management.on(`json-patch ${machinePath}`, refusing(403, no), 1);
    await run(world);
    world.time.now += 10_000;
    return world;
  };

  test('is said to be off at last where others hold the Machine', async () => {
    const world = await heldByOthers();
    expect((await run(world)).facts).toMatchObject([{ kind: 'completed' }]);
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['other.example/held']);
    expect(deletingCondition(world)).toEqual({ reason: 'DeletionCompleted', message: 'Deletion completed' });
  });

  test('is off where that cannot be said any more', async () => {
    const world = await heldByOthers();
    world.management.on(`patch ${machinePath}/status`, () => {
      throw new Unavailable('no answer');
    });
    expect((await run(world)).facts).toMatchObject([{ kind: 'completed' }]);
  });
});
