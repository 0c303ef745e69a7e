import { describe, expect, test } from 'vitest';
import { infrastructure } from '../../../functions/infrastructure.ts';
import type { DeleteAnswer, Existence } from '../../../shared/actuator/port.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { anActuator, withProvider } from '../../builders/actuator.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, deletingCondition, savedCheckpoint } from '../../builders/world.ts';

const inInfrastructure = aRawMachine({
  annotations: atCheckpoint(aCheckpoint({ phase: 'infrastructure', seq: 4 })),
});
const command = aCommand({ phase: 'infrastructure', seq: 4 });

const silence = () => Promise.reject(new Unavailable('the provider does not answer'));

function aWorldWithProvider(
  answers: { exists?: Existence[]; deletes?: DeleteAnswer[] },
  dialect: Dialect = withProvider(),
) {
  const world = aWorld(inInfrastructure);
  const actuator = anActuator(answers);
  Object.assign(world.env, { actuator, dialects: [dialect] });
  return { world, actuator };
}

describe('a Machine whose server a provider keeps', () => {
  test('waits while the server exists', async () => {
    const { world, actuator } = aWorldWithProvider({});
    const { next } = await reconcilePhase(world.env, infrastructure, command);
    expect(next).toBeUndefined();
    expect(actuator.asked).toEqual(['delete uid-1', 'exists uid-1']);
    expect(deletingCondition(world)).toEqual({
      reason: 'WaitingForInfrastructureDeletion',
      message: 'Waiting for the instance to be deleted',
    });
    expect(savedCheckpoint(world)).toMatchObject({ phase: 'infrastructure', seq: 4 });
    expect(world.said).toEqual(['Deleting instance', 'Deletion waits']);
  });

  test('goes on once it does not', async () => {
    const { world, actuator } = aWorldWithProvider({ exists: [{ kind: 'exists' }, { kind: 'absent' }] });
    await reconcilePhase(world.env, infrastructure, command);
    const { next } = await reconcilePhase(world.env, infrastructure, command);
    expect(next).toMatchObject({ phase: 'bootstrap', seq: 5 });
    expect(actuator.asked).toEqual(['delete uid-1', 'exists uid-1', 'delete uid-1', 'exists uid-1']);
  });

  test('is told to the provider with its Cluster', async () => {
    const { world, actuator } = aWorldWithProvider({});
    await reconcilePhase(world.env, infrastructure, command);
    expect(actuator.targets[0]).toMatchObject({
      machine: { metadata: { uid: 'uid-1', name: 'm-1' } },
      cluster: { kind: 'Cluster', metadata: { name: 'c' } },
    });
  });

  test('is not touched where its infrastructure object would be: nothing but the provider is asked', async () => {
    const { world } = aWorldWithProvider({});
    await reconcilePhase(world.env, infrastructure, command);
    expect(world.log.filter((call) => call.startsWith('delete'))).toEqual([]);
  });

  test.each<[what: string, method: 'delete' | 'exists', asked: string[]]>([
    ['the delete', 'delete', []],
    ['the question whether it exists', 'exists', ['delete uid-1']],
  ])('stays where %s gets no answer', async (_what, method, asked) => {
    const { world, actuator } = aWorldWithProvider({});
    Object.assign(actuator, { [method]: silence });
    const { next, facts } = await reconcilePhase(world.env, infrastructure, command);
    expect(next).toBeUndefined();
    expect(actuator.asked).toEqual(asked);
    expect(deletingCondition(world)).toEqual({
      reason: 'InternalError',
      message: 'Failed to delete the instance: the provider does not answer',
    });
    expect(facts).toMatchObject([{ kind: 'failed', error: 'the provider does not answer' }]);
  });

  test('is not asked for again after what the delete was answered in the same look', async () => {
    const retry: DeleteAnswer = { kind: 'retry', afterSeconds: 9, message: 'stopping' };
    const { world, actuator } = aWorldWithProvider({ deletes: [retry] });
    await reconcilePhase(world.env, infrastructure, command);
    expect(actuator.asked).toEqual(['delete uid-1']);
    expect(await world.env.store.due(world.time.now + 9_000, 10)).toMatchObject([
      { at: world.time.now + 9_000 },
    ]);
  });
});

/** One more look, so many seconds later. */
const lookAgain = async (
  { world }: ReturnType<typeof aWorldWithProvider>,
  seconds: number,
): Promise<void> => {
  world.time.now += seconds * 1_000;
  await reconcilePhase(world.env, infrastructure, command);
};

describe('a provider that has asked for time', () => {
  const retry: DeleteAnswer = { kind: 'retry', afterSeconds: 45, message: 'busy' };
  test('is not asked again within it, and is after it', async () => {
    const asking = aWorldWithProvider({ deletes: [retry] });
    await lookAgain(asking, 0);
    await lookAgain(asking, 20);
    await lookAgain(asking, 24);
    expect(asking.actuator.asked).toEqual(['delete uid-1']);
    await lookAgain(asking, 1);
    expect(asking.actuator.asked).toEqual(['delete uid-1', 'delete uid-1']);
  });

  test('is left alone for as long, and no longer, though the clock was set back meanwhile', async () => {
    const asking = aWorldWithProvider({ deletes: [retry] });
    await lookAgain(asking, 0);
    asking.world.time.passed += 44_999;
    await lookAgain(asking, -3_600);
    expect(asking.actuator.asked).toEqual(['delete uid-1']);
    asking.world.time.passed += 1;
    await lookAgain(asking, 0);
    expect(asking.actuator.asked).toEqual(['delete uid-1', 'delete uid-1']);
  });

  test('is looked at again when that time is over, and not later', async () => {
    const asking = aWorldWithProvider({ deletes: [retry] });
    await lookAgain(asking, 0);
    await lookAgain(asking, 20);
    const due = await asking.world.env.store.due(asking.world.time.now + 3_600_000, 10);
    const at = asking.world.time.now + 25_000;
    expect(due).toMatchObject([{ at }]);
    expect(asking.world.kept.at(-1)?.until).toEqual([{ kind: 'time', at }]);
  });

  test('is asked at once about a Machine that somebody has changed', async () => {
    const asking = aWorldWithProvider({ deletes: [retry] });
    await lookAgain(asking, 0);
    const machine = asking.world.management.at('machines/default/m-1')!;
    const generation = (machine.metadata.generation ?? 0) + 1;
    asking.world.management.put('machines', { ...machine, metadata: { ...machine.metadata, generation } });
    await lookAgain(asking, 20);
    expect(asking.actuator.asked).toEqual(['delete uid-1', 'delete uid-1']);
  });
});

describe('what is told where no status tells it', () => {
  const silent: Dialect = {
    ...withProvider(),
    showsProgress: false,
    status: () => ({}),
    events: (_machine, moment) =>
      moment.what === 'server-failed'
        ? [{ type: 'Warning', reason: 'FailedDelete', message: moment.why }]
        : [],
  };
  const failure: DeleteAnswer = { kind: 'failed', reason: undefined, message: 'locked' };

  test('is told once, and again when it changes', async () => {
    const other: DeleteAnswer = { ...failure, message: 'in use' };
    const { world } = aWorldWithProvider({ deletes: [failure, failure, other] }, silent);
    const told = [];
    for (let look = 0; look < 3; look += 1) {
      const { facts } = await reconcilePhase(world.env, infrastructure, command);
      told.push(facts.map((each) => ('error' in each ? each.error : each.kind)));
    }
    expect(told).toEqual([['locked'], [], ['in use']]);
    expect(world.log.filter((call) => call.startsWith('create events'))).toHaveLength(2);
  });
});
