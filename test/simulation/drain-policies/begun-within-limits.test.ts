import { expect, test } from 'vitest';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { cordon, nodeOf } from '../invariants/asked.ts';
import { openStage } from '../invariants/stage.ts';
import { begunWithinLimits } from './begun-within-limits.ts';
import { addAiling, drainPolicies } from './with-policies.ts';

async function cordoning(names: string[], maxUnavailable: number, isOneAiling = false): Promise<string[]> {
  const stage = await openStage(begunWithinLimits);
  const { management } = stage.world;
  for (const definition of policyDefinitions)
    management.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  management.create(drainPolicies, {
    apiVersion: 'phaseout.dev/v1alpha1',
    kind: 'DrainPolicy',
    metadata: { namespace: 'fleet', name: 'workers' },
    spec: { maxUnavailable },
  });
  if (isOneAiling) addAiling(stage.world, 'fleet');
  await stage.pass(10);
  for (const name of names) {
    const patch = { spec: { unschedulable: true } };
    stage.ask(cordon(nodeOf(stage, name)), () => {
      stage.world.cluster('blue').patch('nodes', nodeOf(stage, name), patch);
    });
  }
  return stage.cries;
}

test.each([
  [1, ['m1, m2 have begun, and 1 may']],
  [2, []],
])('two Nodes are cordoned where %i may', async (maxUnavailable, cries) => {
  expect(await cordoning(['node-1', 'node-2'], maxUnavailable)).toEqual(cries);
});

test.each([
  [1, ['m1 have begun beside a Node that is not Ready, and 1 may']],
  [2, []],
])('a Node is cordoned beside one that is not Ready, where %i may', async (maxUnavailable, cries) => {
  expect(await cordoning(['node-1'], maxUnavailable, true)).toEqual(cries);
});
