import { describe, expect, test } from 'vitest';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { aRawMachine } from '../../builders/cluster-api.ts';
import { aWorld, type World } from '../../builders/world.ts';
import { planOf } from './plans.ts';

const planWithout = (world: World): Promise<DeletionPlan> =>
  planOf(world, 'cluster.x-k8s.io/v1beta2', { isNodeMissing: true });

function aWorldWithoutNode(machine = aRawMachine()): World {
  const world = aWorld(machine);
  world.workload.drop('nodes/node-1');
  return world;
}

const unknownOf = ({ phases }: DeletionPlan): string[] =>
  phases.flatMap(({ phase, does, why }) => (does === 'unknown' ? [`${phase}: ${why}`] : []));

describe('a plan made without the Node of the Machine', () => {
  test('knows nothing of the steps that depend on it', async () => {
    expect(unknownOf(await planWithout(aWorldWithoutNode()))).toEqual([
      'drain: its Node was not given',
      'volume-detach: its Node was not given',
      'node: its Node was not given',
    ]);
  });

  test('is one like all others where the Node is there', async () => {
    expect(unknownOf(await planWithout(aWorld()))).toEqual([]);
  });

  test('does not know, either, whether a hook before the drain counts where the Machine names no Node', async () => {
    const machine = aRawMachine({ status: { nodeRef: undefined } });
    expect(unknownOf(await planWithout(aWorldWithoutNode(machine)))).toEqual([
      'pre-drain: its Node was not given',
      'drain: its Node was not given',
      'volume-detach: its Node was not given',
      'node: its Node was not given',
    ]);
  });

  test('keeps what has passed, and what the Machine is excluded from', async () => {
    const annotations = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
    expect(unknownOf(await planWithout(aWorldWithoutNode(aRawMachine({ annotations }))))).toEqual([
      'volume-detach: its Node was not given',
      'node: its Node was not given',
    ]);
    const checkpoint = {
      v: 1,
      uid: 'uid-1',
      seq: 2,
      phase: 'bootstrap',
      since: '2026-01-01T12:00:05Z',
      passed: {},
    };
    const begun = aRawMachine({ annotations: { 'phaseout.dev/checkpoint': JSON.stringify(checkpoint) } });
    expect(unknownOf(await planWithout(aWorldWithoutNode(begun)))).toEqual(['node: its Node was not given']);
  });
});
