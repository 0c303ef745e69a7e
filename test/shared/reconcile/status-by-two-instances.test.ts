import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../shared/phase/decision.ts';
import { type DefinedPhase, definePhase } from '../../../shared/phase/definition.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, deletingCondition, type World } from '../../builders/world.ts';

/** An instance that sees the drain in this way, whatever it looks at. */
const seeing = (message: string, error?: string): DefinedPhase<undefined> =>
  definePhase<undefined>({
    name: 'drain',
    observe: async () => undefined,
    decide: (): Decision => ({
      kind: 'wait',
      until: [],
      report: { reason: 'DrainingNode', message, ...(error === undefined ? {} : { error }) },
      requeueAfterSeconds: 20,
    }),
    onUnavailable: () => {
      throw new Error('it could look');
    },
  });

const waiting = seeing('Drain not completed yet');
const failing = seeing('the workload cluster cannot be reached');
const drainAgain = seeing('one Pod less');

function twoInstances(): { world: World; one: Environment; other: Environment } {
  const world = aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' })) }));
  return { world, one: world.env, other: world.another() };
}

const writes = ({ log }: World): number => log.filter((line) => line.endsWith('/status')).length;

/** Each looks once, as it does on an event of the other one's write. */
async function exchange({ one, other }: ReturnType<typeof twoInstances>): Promise<void> {
  await reconcilePhase(one, waiting, aCommand());
  await reconcilePhase(other, failing, aCommand());
}

test('instances that see different things each say so once to the other, and then let it stand', async () => {
  const both = twoInstances();
  for (let times = 0; times < 20; times += 1) await exchange(both);
  expect(writes(both.world)).toBe(3);
});

test('they say it again after ten seconds', async () => {
  const both = twoInstances();
  await exchange(both);
  await exchange(both);
  both.world.time.now += 9_999;
  await exchange(both);
  expect(writes(both.world)).toBe(3);
  both.world.time.now += 1;
  await exchange(both);
  await exchange(both);
  expect(writes(both.world)).toBe(5);
});

test('three of them come to an end as well', async () => {
  const { world, one, other } = twoInstances();
  const third = world.another();
  for (let times = 0; times < 20; times += 1) {
    await exchange({ world, one, other });
    await reconcilePhase(third, drainAgain, aCommand());
  }
  expect(writes(world)).toBeLessThanOrEqual(9);
});

test('what has gone again since the other one told of it is said at once', async () => {
  const { world, one, other } = twoInstances();
  await reconcilePhase(one, seeing('hook a'), aCommand());
  await reconcilePhase(other, seeing('hooks a, b'), aCommand());
  world.time.now += 2_000;
  await reconcilePhase(one, seeing('hook a'), aCommand());
  expect(deletingCondition(world)).toMatchObject({ message: 'hook a' });
});

test('what is new is said at once', async () => {
  const both = twoInstances();
  await exchange(both);
  await reconcilePhase(both.one, drainAgain, aCommand());
  expect(deletingCondition(both.world)).toMatchObject({ message: 'one Pod less' });
  await reconcilePhase(both.one, waiting, aCommand());
  expect(deletingCondition(both.world)).toMatchObject({ message: 'Drain not completed yet' });
});

test('they say it again after ten seconds, whatever the clock is set back to', async () => {
  const both = twoInstances();
  await exchange(both);
  await reconcilePhase(both.one, waiting, aCommand());
  both.world.time.now -= 60_000;
  both.world.time.passed += 9_999;
  await reconcilePhase(both.other, failing, aCommand());
  expect(writes(both.world)).toBe(3);
  both.world.time.passed += 1;
  await reconcilePhase(both.other, failing, aCommand());
  expect(writes(both.world)).toBe(4);
});

describe('an error that never has the same text', () => {
  const lines = Array.from({ length: 40 }, (_, n) => 'x'.repeat(n + 1));

  async function exchangeErrors({ one, other }: ReturnType<typeof twoInstances>): Promise<void> {
    for (const line of lines) {
      await reconcilePhase(one, seeing('Error draining Node', `one ${line}`), aCommand());
      await reconcilePhase(other, seeing('Error draining Node', `other ${line}`), aCommand());
    }
  }

  test('is said twice by each instance until the next attempt', async () => {
    const both = twoInstances();
    await exchangeErrors(both);
    expect(writes(both.world)).toBe(4);
    both.world.time.now += 5_000;
    await exchangeErrors(both);
    expect(writes(both.world)).toBe(8);
  });

  test('does not hide what comes after it', async () => {
    const both = twoInstances();
    await exchangeErrors(both);
    await reconcilePhase(both.one, waiting, aCommand());
    expect(deletingCondition(both.world)).toMatchObject({ message: 'Drain not completed yet' });
  });
});
