import { describe, expect, test } from 'vitest';
import { drain } from '../../../functions/drain.ts';
import { TooManyRequests } from '../../../shared/http/failures.ts';
import { reconcilePhase } from '../../../shared/reconcile/reconcile.ts';
import { reserveCapacity, workloadNamed } from '../../../shared/turns/turn.ts';
import { aCheckpoint, aRawMachine } from '../../builders/cluster-api.ts';
import { aCommand, atCheckpoint, aWorld, machinePath, type World } from '../../builders/world.ts';

const draining = (): World =>
  aWorld(aRawMachine({ annotations: atCheckpoint(aCheckpoint({ seq: 1, phase: 'drain' })) }));

const refuse = (): never => {
  throw new TooManyRequests(150, 'default/c');
};

describe('a step', () => {
  test('is counted for the workload cluster of its Machine as soon as that was read', async () => {
    const { env } = draining();
    const claimed: string[] = [];
    await reconcilePhase(
      { ...env, reserveCapacity: (cluster) => void claimed.push(cluster) },
      drain,
      aCommand(),
    );
    expect(claimed).toEqual(['default/c']);
  });

  test('does nothing where that cluster has its share', async () => {
    const world = draining();
    const step = reconcilePhase({ ...world.env, reserveCapacity: refuse }, drain, aCommand());
    await expect(step).rejects.toBeInstanceOf(TooManyRequests);
    expect(world.log).toEqual(['claim', 'release']);
    expect(world.workload.reads).toEqual([]);
  });

  test('of a Machine that is known is counted before it waits for its turn', async () => {
    const world = draining();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    world.env.cache.rememberMachine(world.management.at(machinePath)!);
    const { uid } = aCommand().machine;
    const first = world.env.machineQueue.run(uid, 'another step', () => answered);
    await expect(
      reconcilePhase({ ...world.env, reserveCapacity: refuse }, drain, aCommand()),
    ).rejects.toThrow('share');
    answer();
    await first;
  });

  test('that no request has led to is counted for nobody', async () => {
    const world = draining();
    await expect(reconcilePhase(world.env, drain, aCommand())).resolves.toBeDefined();
  });
});

test.each([
  ['a Machine that is not known', undefined],
  ['a Machine of no API that is known', { ...aRawMachine(), apiVersion: 'other.io/v1' }],
])('%s is counted for nobody', (_, machine) => {
  const workload = workloadNamed(aWorld().env, machine);
  expect(() => reserveCapacity({ reserveCapacity: refuse }, workload)).not.toThrow();
});
