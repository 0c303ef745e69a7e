import { describe, expect, test } from 'vitest';
import { conditionsFrom } from '../../../shared/dialects/conditions.ts';
import { recordAt } from '../../../shared/dialects/fields.ts';
import { originalApi } from '../../../shared/dialects/v1alpha1/index.ts';
import type { WriteOutcome } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Condition } from '../../../shared/kubernetes/objects.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Phase } from '../../../shared/machine/phase.ts';
import type { Decision } from '../../../shared/phase/decision.ts';
import { type DefinedPhase, definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { aCheckpoint, aCluster, after, aRawMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aRawOriginal } from '../../builders/v1alpha1.ts';
import { anOriginalWorld, eventsIn } from '../../builders/v1alpha1-world.ts';
import {
  aCommand,
  atCheckpoint,
  aWorld,
  deletingCondition,
  machinePath,
  savedCheckpoint,
  type World,
} from '../../builders/world.ts';

/** A phase that decides the same whatever it sees. */
const deciding = (decision: Decision, name: Phase = 'drain'): DefinedPhase<undefined> =>
  definePhase({
    name,
    observe: async () => undefined,
    decide: () => decision,
    onUnavailable: () => {
      throw new Error('it could look');
    },
  });

const begun = aCheckpoint({ seq: 1, phase: 'drain' });
/** An attempt that had to wait has started its time limit. */
const tried = { ...begun, reached: timeAfter(1) };
const ref = { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'default', name: 'm-1', uid: 'uid-1' };
const conflict = (): WriteOutcome => ({ kind: 'conflict', message: 'the object has been modified' });
const waiting: Decision & { kind: 'wait' } = {
  kind: 'wait',
  until: [{ kind: 'pods-gone', nodeName: 'node-1', uids: ['ns/a'], resourceVersion: '900' }],
  report: { reason: 'DrainingNode', message: 'Drain not completed yet' },
  requeueAfterSeconds: 20,
  events: [{ type: 'Warning', reason: 'FailedDrainNode', message: 'a fact' }],
};
const event = 'create events/default/m-1.';
const withoutHash = (log: string[]) => log.map((line) => (line.startsWith(event) ? event : line));

describe('a wait', () => {
  test('of a Machine that has begun: the status, then the next look, then wake-ups', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    const result = await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1/status',
      event,
      'history waited',
      'release',
      'keep wake-ups',
    ]);
    expect(result).toEqual({
      facts: [
        {
          machine: ref,
          phase: 'drain',
          seq: 1,
          kind: 'blocked',
          reason: 'DrainingNode',
          message: 'Drain not completed yet',
        },
      ],
    });
    expect(savedCheckpoint(world)).toEqual(begun);
    expect(deletingCondition(world)).toEqual({ reason: 'DrainingNode', message: 'Drain not completed yet' });
    expect(await world.env.store.due(after(30), 10)).toEqual([
      { machine: ref, at: after(30), failures: 0, isOfDeletion: true },
    ]);
    expect(await world.env.store.history('uid-1')).toEqual([
      {
        what: 'waited',
        reason: 'DrainingNode',
        message: 'Drain not completed yet',
        at: after(10),
        id: '000001-2026-01-01T12:00:10.000Z-0-test-waited',
        phase: 'drain',
        by: 'test',
        node: 'node-1',
      },
    ]);
    expect(world.kept).toEqual([
      {
        advance: { machine: ref, phase: 'drain', seq: 1, resourceVersion: expect.any(String) },
        until: [...waiting.until, { kind: 'time', at: after(30) }],
      },
    ]);
  });

  test.each([
    ['comes as long after the decision, however long that took', 5_000, after(30)],
    [
      'comes as long after the decision where the clock is set back meanwhile',
      -3_600_000,
      after(25) - 3_600_000,
    ],
    ['comes at once where that took longer', 60_000, after(70)],
  ])('is saved, and the wake-up %s', async (_when, milliseconds, at) => {
    const world = aWorld(aRawMachine({ metadata: { annotations: atCheckpoint(begun) } }));
    const { store } = world.env;
    world.env.store = {
      ...store,
      async release(release) {
        const released = await store.release(release);
        world.time.now += milliseconds;
        world.time.passed += Math.max(milliseconds, 5_000);
        return released;
      },
    };
    await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(world.kept[0]?.until).toEqual([...waiting.until, { kind: 'time', at }]);
    expect(await world.env.store.due(after(30), 10)).toMatchObject([{ at: after(30) }]);
  });

  test('of a Machine that has not begun: first its checkpoint, due before it is saved', async () => {
    const world = aWorld();
    const result = await reconcilePhase(world.env, deciding(waiting), aCommand({ seq: 0 }));
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1',
      'patch machines/default/m-1/status',
      event,
      'history waited',
      'release',
      'keep wake-ups',
    ]);
    expect(result.facts.map(({ kind }) => kind)).toEqual(['started', 'blocked']);
    expect(savedCheckpoint(world)).toEqual({
      v: 1,
      uid: 'uid-1',
      seq: 0,
      phase: 'drain',
      since: '2026-01-01T12:00:10.000Z',
      passed: {},
    });
  });

  test('of a Machine that has not begun may be longer than an instance that is lost meanwhile may cost', async () => {
    const world = aWorld();
    await reconcilePhase(world.env, deciding({ ...waiting, requeueAfterSeconds: 60 }), aCommand({ seq: 0 }));
    expect(await world.env.store.due(after(90), 10)).toMatchObject([{ at: after(70) }]);
  });

  test.each([
    ['sooner', 5, 15],
    ['later', 45, 55],
    ['much later', 300, 310],
  ])('of a Machine that has just begun is as long as its step asks, also %s', async (_, asked, due) => {
    const world = anOriginalWorld(aRawOriginal());
    const machine = { ...ref, apiVersion: 'cluster.k8s.io/v1alpha1' };
    await world.env.store.schedule({ machine, at: after(3_600), failures: 0 });
    const wait = deciding({ ...waiting, requeueAfterSeconds: asked }, 'infrastructure');
    await reconcilePhase(world.env, wait, aCommand({ machine, phase: 'infrastructure', seq: 0 }));
    expect(await world.env.store.due(after(3_600), 10)).toMatchObject([{ at: after(due) }]);
  });

  test('that is the same as before writes nothing on the Machine and tells nothing', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    await reconcilePhase(world.env, deciding(waiting), aCommand());
    world.log.length = 0;
    world.time.now = after(30);
    const again = await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(world.log).toEqual(['claim', 'release', 'keep wake-ups']);
    expect(again).toEqual({ facts: [] });
  });

  test('because of a pause leaves the Machine without a checkpoint', async () => {
    const world = aWorld(aRawMachine({ annotations: { 'cluster.x-k8s.io/paused': '' } }));
    const result = await reconcilePhase(world.env, deciding(waiting), aCommand({ seq: 0 }));
    expect(world.log).toEqual([
      'claim',
      'patch machines/default/m-1/status',
      'history waited',
      'release',
      'keep wake-ups',
    ]);
    expect(savedCheckpoint(world)).toBeUndefined();
    expect(result.facts).toMatchObject([{ kind: 'blocked', reason: 'Paused' }]);
    expect(deletingCondition(world)).toBeUndefined();
  });

  test('for several hooks tells of all of them, each with its owner', async () => {
    const prefix = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
    const owners = { [`${prefix}/a`]: 'one', [`${prefix}/b`]: 'other' };
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun, owners) }));
    const { facts } = await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(facts).toMatchObject([{ kind: 'hook-waiting', hooks: Object.keys(owners), owners }]);
  });

  test('because of a pause leaves it so also when the deletion is to begin at another phase', async () => {
    const world = aWorld(aRawMachine({ annotations: { 'cluster.x-k8s.io/paused': '' } }));
    const asked = aCommand({ phase: 'node', seq: 0 });
    const result = await reconcilePhase(world.env, deciding(waiting, 'node'), asked);
    // Handed on, it would come back from an instance that knows of no Node, and so for ever.
    expect(result.next).toBeUndefined();
    expect(result.facts).toMatchObject([{ kind: 'blocked', phase: 'drain', reason: 'Paused' }]);
    expect(savedCheckpoint(world)).toBeUndefined();
    expect(await world.env.store.due(after(70), 10)).toMatchObject([{ at: after(70) }]);
  });

  test.each([
    ['pre-drain', 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a', ''],
    ['pre-terminate', 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a', 'backup'],
    ['pre-terminate', 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/b', 'x'.repeat(600)],
  ])('for a %s hook is told as such', async (point, hook, owner) => {
    const checkpoint = aCheckpoint({ seq: 1, phase: 'infrastructure' });
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint, { [hook]: owner }) }));
    const result = await reconcilePhase(
      world.env,
      deciding(waiting, 'infrastructure'),
      aCommand({ phase: 'infrastructure' }),
    );
    const about = { machine: ref, phase: 'infrastructure', seq: 1 };
    const told = owner.length > 512 ? `${'x'.repeat(509)}...` : owner;
    const owners = owner === '' ? {} : { [hook]: told };
    expect(result.facts).toEqual([{ ...about, kind: 'hook-waiting', point, hooks: [hook], owners }]);
  });

  test('that failed is told as a failure', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    const report = { reason: 'DrainingNode', message: 'Error draining Node', error: 'why' } as const;
    const result = await reconcilePhase(
      world.env,
      deciding({ kind: 'wait', until: [], report, requeueAfterSeconds: 5 }),
      aCommand(),
    );
    expect(result.facts).toEqual([{ machine: ref, phase: 'drain', seq: 1, kind: 'failed', ...report }]);
  });

  test('keeps wake-ups for the Machine as it is after its status was written', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    await reconcilePhase(world.env, deciding(waiting), aCommand());
    const { resourceVersion } = world.management.at(machinePath)?.metadata ?? {};
    expect(world.kept[0]?.advance.resourceVersion).toBe(resourceVersion);
  });

  test('that meets a conflict is settled in the same step, after a new look', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    world.management.on(`patch ${machinePath}/status`, conflict);
    const result = await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1/status',
      'patch machines/default/m-1/status',
      event,
      'history waited',
      'release',
      'keep wake-ups',
    ]);
    expect(result.facts).toMatchObject([{ kind: 'blocked' }]);
  });

  test('of a Machine that has not begun, and meets a conflict there, begins after a new look', async () => {
    const world = aWorld();
    world.management.on(`patch ${machinePath}`, conflict);
    const result = await reconcilePhase(world.env, deciding(waiting), aCommand({ seq: 0 }));
    expect(world.log.slice(0, 4)).toEqual([
      'claim',
      'patch machines/default/m-1',
      'patch machines/default/m-1',
      'patch machines/default/m-1/status',
    ]);
    expect(result.facts.map(({ kind }) => kind)).toEqual(['started', 'blocked']);
  });

  test.each([
    [
      'to say what it has just said is said by a look as soon as it may be',
      undefined,
      ['one', 'other', 'one', 'other'],
      10,
    ],
    [
      'with one more text of a failure is left to the look that comes anyway',
      'no answer',
      ['one', 'other', 'third'],
      20,
    ],
  ])('that comes too soon %s', async (_what, error, messages, seconds) => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    const look = (message: string) => {
      const report = { ...waiting.report, message, ...(error === undefined ? {} : { error }) };
      return reconcilePhase(world.env, deciding({ ...waiting, report }), aCommand());
    };
    for (const message of messages) await look(message);
    expect(deletingCondition(world)).toMatchObject({ message: messages.at(-2) });
    expect(await world.env.store.due(after(60), 10)).toMatchObject([{ at: after(10 + seconds) }]);
    world.time.now += 10_000;
    world.time.passed += 10_000;
    const last = messages.at(-1) ?? '';
    await look(last);
    expect(deletingCondition(world)).toMatchObject({ message: last });
  });

  test('goes on when the status is refused: what users read is worth less than the deletion', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    world.management.on(`patch ${machinePath}/status`, () => ({ kind: 'refused', code: 422, message: 'no' }));
    expect(await reconcilePhase(world.env, deciding(waiting), aCommand())).toEqual({ facts: [] });
    expect(world.log).toEqual(['claim', 'patch machines/default/m-1/status', 'release', 'keep wake-ups']);
    expect(world.said).toEqual(['Status was refused', 'Deletion waits']);
  });
});

describe('a look that could not even begin', () => {
  const controlPlaneRef = { apiGroup: 'cp.example', kind: 'ControlPlane', name: 'cp' };

  test.each<[string, (world: World) => void, string, string]>([
    [
      'because the API does not answer is told in its words',
      ({ management }) =>
        management.on('get clusters/default/c', () => {
          throw new Unavailable('no answer');
        }),
      'no answer',
      'no answer',
    ],
    [
      'because the control plane cannot be counted is told in the words of the peers',
      ({ management }) =>
        management.on('list machines', () => {
          throw new Unavailable('no answer');
        }),
      'Please check controller logs for errors',
      'failed to check if Kubernetes Node deletion is allowed: no answer',
    ],
    [
      'because nobody knows whether the Node may go is told in the words of the peers',
      ({ management }) => {
        management.put('clusters', aCluster({ spec: { controlPlaneRef } }));
        management.on('get controlplanes/default/cp', () => {
          throw new Unavailable('no answer');
        });
      },
      'Please check controller logs for errors',
      'failed to check if Kubernetes Node deletion is allowed: no answer',
    ],
  ])('%s', async (_why, given, message, error) => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    given(world);
    const { facts } = await reconcilePhase(world.env, deciding(waiting), aCommand());
    expect(deletingCondition(world)).toEqual({ reason: 'InternalError', message });
    expect(world.said).toEqual(['Machine could not be looked at']);
    expect(facts).toMatchObject([{ kind: 'failed', reason: 'InternalError', message, error }]);
    expect(savedCheckpoint(world)).toEqual(begun);
  });
});

/** Waits there, in the words of an API that has no status for it. Answers with the facts that it publishes. */
async function waitAt(world: World, place: Pick<Checkpoint, 'phase' | 'seq'>, message = 'why') {
  world.management.change(machinePath, { metadata: { annotations: atCheckpoint(aCheckpoint(place)) } });
  const { ref: machine } = originalApi.read(aRawOriginal());
  const { facts } = await reconcilePhase(
    world.env,
    deciding({ ...waiting, report: { ...waiting.report, message } }, place.phase),
    aCommand({ ...place, machine }),
  );
  return facts.map(({ kind }) => kind);
}

/** Waits because of this error. */
const failing = (error: string): DefinedPhase<undefined> =>
  deciding({
    ...waiting,
    report: { reason: 'DrainingNode', message: 'Error draining Node', error },
    events: [{ type: 'Warning', reason: 'FailedDrainNode', message: error }],
  });

const drainingIn = ({ management }: World): Condition[] => {
  const status = recordAt(management.at(machinePath), 'status', 'deprecated', 'v1beta1');
  return [...conditionsFrom(status['conditions'])].filter(({ type }) => type === 'DrainingSucceeded');
};

describe('a wait because of an error for which the status has no words of its own', () => {
  test('is told by an Event for each error', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    for (const error of ['no access', 'no access', 'an odd rule'])
      await reconcilePhase(world.env, failing(error), aCommand());
    expect(await eventsIn(world)).toEqual([
      'Warning FailedDrainNode: no access',
      'Warning FailedDrainNode: an odd rule',
    ]);
  });

  test('is told by an Event for each error that the status says in the same general words', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    for (const error of ['no access', 'no access', 'an odd rule']) {
      const general = deciding({
        ...waiting,
        report: { reason: 'InternalError', message: 'Please check controller logs for errors', error },
        events: [{ type: 'Warning', reason: 'FailedDeleteNode', message: error }],
      });
      await reconcilePhase(world.env, general, aCommand());
    }
    expect(await eventsIn(world)).toEqual([
      'Warning FailedDeleteNode: no access',
      'Warning FailedDeleteNode: an odd rule',
    ]);
  });

  test('is told once where it differs in numbers and IDs alone, and its first text stays', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    for (const port of [51_234, 51_235, 51_236])
      await reconcilePhase(world.env, failing(`read tcp 10.0.0.5:${port}: reset`), aCommand());
    await reconcilePhase(world.another(), failing('read tcp 10.0.0.5:51237: reset'), aCommand());
    expect(await eventsIn(world)).toEqual(['Warning FailedDrainNode: read tcp 10.0.0.5:51234: reset']);
    expect(world.log.filter((line) => line.endsWith('/status'))).toHaveLength(1);
    const [condition] = drainingIn(world);
    expect(condition).toMatchObject({ message: 'read tcp 10.0.0.5:51234: reset' });
  });

  test('is told by an Event also where whoever wrote the status got no further', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    world.management.on('create events', () => {
      throw new Unavailable('no answer');
    });
    await reconcilePhase(world.env, failing('an odd rule'), aCommand());
    expect(await eventsIn(world)).toEqual([]);
    await reconcilePhase(world.env, failing('an odd rule'), aCommand());
    expect(await eventsIn(world)).toEqual(['Warning FailedDrainNode: an odd rule']);
  });
});

test('an Event that was refused is not told again: it would be refused again', async () => {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
  world.management.on('create events', () => ({ kind: 'refused', code: 403, message: 'forbidden' }), 9);
  for (let looks = 0; looks < 3; looks += 1)
    await reconcilePhase(world.env, failing('an odd rule'), aCommand());
  expect(world.log.filter((line) => line.startsWith('create events'))).toHaveLength(1);
});

describe('a wait of a Machine whose status says nothing of it', () => {
  test('is told once in each phase', async () => {
    const world = anOriginalWorld();
    expect(await waitAt(world, { phase: 'infrastructure', seq: 1 })).toEqual(['blocked']);
    expect(await waitAt(world, { phase: 'infrastructure', seq: 1 })).toEqual([]);
    expect(await waitAt(world, { phase: 'node', seq: 2 })).toEqual(['blocked']);
    // As after a step back.
    expect(await waitAt(world, { phase: 'infrastructure', seq: 3 })).toEqual(['blocked']);
  });

  test('is told again when there is more to say of it: that it has become long, for one', async () => {
    const world = anOriginalWorld();
    const place = { phase: 'infrastructure', seq: 1 } as const;
    expect(await waitAt(world, place, 'waiting')).toEqual(['blocked']);
    expect(await waitAt(world, place, 'waiting since more than 15m')).toEqual(['blocked']);
    expect(await waitAt(world, place, 'waiting since more than 15m')).toEqual([]);
  });

  test('is told again when its Event could not be written: nothing else says what holds it', async () => {
    const world = anOriginalWorld();
    world.management.on('create events', () => {
      throw new Unavailable('no answer');
    });
    expect(await waitAt(world, { phase: 'infrastructure', seq: 1 })).toEqual(['blocked']);
    expect(await eventsIn(world)).toEqual([]);
    expect(await waitAt(world, { phase: 'infrastructure', seq: 1 })).toEqual(['blocked']);
    expect(await eventsIn(world)).toEqual(['Warning FailedDrainNode: a fact']);
    expect(await waitAt(world, { phase: 'infrastructure', seq: 1 })).toEqual([]);
  });
});

describe('an advance', () => {
  const advancing: Decision = {
    kind: 'advance',
    passing: 'done',
    message: 'nothing is left',
    events: [{ type: 'Normal', reason: 'SuccessfulDrainNode', message: 'a fact' }],
  };
  const detaching = {
    v: 1,
    uid: 'uid-1',
    seq: 2,
    phase: 'volume-detach',
    since: '2026-01-01T12:00:10.000Z',
    passed: { drain: { as: 'done', since: '2026-01-01T12:00:01Z' } },
  };

  test('is saved, then recorded, then told, then handed on', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(tried) }));
    const result = await reconcilePhase(world.env, deciding(advancing), aCommand());
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1',
      'drop wake-ups',
      event,
      'history advanced',
      'release',
    ]);
    expect(savedCheckpoint(world)).toEqual(detaching);
    expect(result).toEqual({
      facts: [
        {
          machine: ref,
          phase: 'volume-detach',
          seq: 2,
          kind: 'advanced',
          from: 'drain',
          as: 'done',
          message: 'nothing is left',
        },
      ],
      next: {
        machine: ref,
        phase: 'volume-detach',
        seq: 2,
        resourceVersion: world.management.at(machinePath)?.metadata.resourceVersion,
      },
    });
  });

  test('is one write also when the Machine had not begun', async () => {
    const world = aWorld();
    const result = await reconcilePhase(world.env, deciding(advancing), aCommand({ seq: 0 }));
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1',
      'drop wake-ups',
      event,
      'history advanced',
      'release',
    ]);
    expect(result.facts.map(({ kind }) => kind)).toEqual(['started', 'advanced']);
    expect(savedCheckpoint(world)).toMatchObject({ seq: 1, phase: 'volume-detach' });
  });

  test('is one patch that names the Machine it means', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(tried) }));
    await reconcilePhase(world.env, deciding(advancing), aCommand());
    expect(world.management.patches).toEqual([
      {
        path: machinePath,
        patch: {
          metadata: {
            resourceVersion: '7',
            uid: 'uid-1',
            annotations: { 'phaseout.dev/checkpoint': JSON.stringify(detaching) },
          },
        },
      },
    ]);
  });

  test('that meets a conflict tells nothing before the Machine was looked at again', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    world.management.on(`patch ${machinePath}`, conflict);
    const result = await reconcilePhase(world.env, deciding(advancing), aCommand());
    expect(withoutHash(world.log)).toEqual([
      'claim',
      'patch machines/default/m-1',
      'patch machines/default/m-1',
      'drop wake-ups',
      event,
      'history advanced',
      'release',
    ]);
    expect(result.facts).toHaveLength(1);
  });

  test('that another instance has made meanwhile is not made twice', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(begun) }));
    world.management.on(`patch ${machinePath}`, () => {
      world.management.change(machinePath, {
        metadata: { annotations: { 'phaseout.dev/checkpoint': JSON.stringify(detaching) } },
      });
    });
    const result = await reconcilePhase(world.env, deciding(advancing), aCommand());
    expect(result).toEqual({ facts: [] });
    expect(savedCheckpoint(world)).toEqual(detaching);
    expect(world.log).toEqual(['claim', 'patch machines/default/m-1', 'release']);
  });
});

test('a step back is saved, told and handed on like any other', async () => {
  const checkpoint = aCheckpoint({
    seq: 2,
    phase: 'volume-detach',
    passed: { drain: { as: 'done', since: '2026-01-01T12:00:00Z' } },
  });
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(checkpoint) }));
  const retreat: Decision = { kind: 'retreat', to: 'drain', message: 'Pods are back' };
  const result = await reconcilePhase(
    world.env,
    deciding(retreat, 'volume-detach'),
    aCommand({ phase: 'volume-detach', seq: 2 }),
  );
  expect(savedCheckpoint(world)).toEqual({
    v: 1,
    uid: 'uid-1',
    seq: 3,
    phase: 'drain',
    since: '2026-01-01T12:00:00Z',
    reached: '2026-01-01T12:00:10.000Z',
    passed: { 'volume-detach': { as: 'done', since: '2026-01-01T12:00:01Z' } },
  });
  expect(result.next).toMatchObject({ phase: 'drain', seq: 3 });
  expect(result.facts).toMatchObject([{ kind: 'advanced', from: 'volume-detach', as: 'returned' }]);
});

describe('the release', () => {
  const release: Decision = {
    kind: 'release',
    report: { reason: 'DeletionCompleted', message: 'Deletion completed' },
  };
  const last = aCheckpoint({ seq: 6, phase: 'finalize' });
  const command = aCommand({ phase: 'finalize', seq: 6 });
  const run = (world: ReturnType<typeof aWorld>) =>
    reconcilePhase(world.env, deciding(release, 'finalize'), command);

  test('says that the deletion is complete, then lets the Machine go, then tells', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
    const result = await run(world);
    expect(world.log).toEqual([
      'claim',
      'patch machines/default/m-1/status',
      'json-patch machines/default/m-1',
      'history completed',
      'drop wake-ups',
      'unschedule',
    ]);
    expect(world.management.at(machinePath)).toBeUndefined();
    expect(result).toEqual({
      facts: [{ kind: 'completed', machine: ref, phase: 'finalize', seq: 6 }],
    });
    expect(world.env.cache.isGone('uid-1')).toBe(true);
  });

  test('says nothing more on a Machine that goes with it, and has left no Node behind', async () => {
    const passed = { node: { as: 'done', since: '2026-01-01T12:00:01Z' } } as const;
    const world = aWorld(aRawMachine({ annotations: atCheckpoint({ ...last, passed }) }));
    await run(world);
    expect(world.log).toEqual([
      'claim',
      'json-patch machines/default/m-1',
      'history completed',
      'drop wake-ups',
      'unschedule',
    ]);
    expect(world.management.at(machinePath)).toBeUndefined();
  });

  test('of a Machine that another has let go meanwhile is told by that one', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
    world.management.on(`json-patch ${machinePath}`, () => world.management.drop(machinePath));
    expect(await run(world)).toEqual({ facts: [] });
    expect(world.log).not.toContain('history completed');
    expect(world.env.cache.isGone('uid-1')).toBe(true);
  });

  test('takes off our finalizer only, of this Machine only, as it was last seen', async () => {
    const finalizers = ['example.com/first', 'machine.cluster.x-k8s.io', 'example.com/last'];
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last), metadata: { finalizers } }));
    await run(world);
    expect(world.management.patches[1]).toEqual({
      path: machinePath,
      patch: [
        { op: 'test', path: '/metadata/uid', value: 'uid-1' },
        { op: 'test', path: '/metadata/resourceVersion', value: expect.any(String) },
        { op: 'test', path: '/metadata/finalizers/1', value: 'machine.cluster.x-k8s.io' },
        { op: 'remove', path: '/metadata/finalizers/1' },
      ],
    });
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual([
      'example.com/first',
      'example.com/last',
    ]);
  });

  test.each([`patch ${machinePath}/status`, `json-patch ${machinePath}`])(
    'that meets a conflict is made in the same step, after a new look, and told once: %s',
    async (call) => {
      const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
      world.management.on(call, conflict);
      const result = await run(world);
      expect(world.management.at(machinePath)).toBeUndefined();
      expect(result.facts).toMatchObject([{ kind: 'completed' }]);
      expect(world.log.filter((line) => line.startsWith('history'))).toEqual(['history completed']);
    },
  );

  test('of a Machine that vanishes as its status is written leaves nothing behind, and is not told', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
    world.management.on(`patch ${machinePath}/status`, () => world.management.drop(machinePath));
    expect(await run(world)).toEqual({ facts: [] });
    expect(world.log).toEqual(['claim', 'patch machines/default/m-1/status', 'drop wake-ups', 'unschedule']);
    expect(world.env.cache.isGone('uid-1')).toBe(true);
  });

  test('is not made while a hook has come late', async () => {
    const world = aWorld(aRawMachine({ annotations: atCheckpoint(last) }));
    world.management.on(`json-patch ${machinePath}`, () => {
      world.management.change(machinePath, {
        metadata: { annotations: { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/late': '' } },
      });
    });
    const result = await run(world);
    expect(world.management.at(machinePath)?.metadata.finalizers).toEqual(['machine.cluster.x-k8s.io']);
    expect(result.facts).toMatchObject([{ kind: 'hook-waiting', point: 'pre-terminate' }]);
    expect(deletingCondition(world)?.reason).toBe('WaitingForPreTerminateHook');
  });
});
