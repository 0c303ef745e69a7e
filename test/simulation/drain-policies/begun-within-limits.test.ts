import { expect, test } from 'vitest';
import { policyDefinitions } from '../../stories/stage/hook-definitions.ts';
import { cordon, nodeOf } from '../invariants/asked.ts';
import { openStage } from '../invariants/stage.ts';
import { begunWithinLimits } from './begun-within-limits.ts';
import { drainPolicies } from './with-policies.ts';

test.each([
  [1, ['m1, m2 have begun, and 1 may']],
  [2, []],
])('two Nodes are cordoned where %i may', async (maxUnavailable, cries) => {
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
  await stage.pass(10);
  for (const name of ['node-1', 'node-2']) {
    const patch = { spec: { unschedulable: true } };
    stage.ask(cordon(nodeOf(stage, name)), () => {
      stage.world.cluster('blue').patch('nodes', nodeOf(stage, name), patch);
    });
  }
  expect(stage.cries).toEqual(cries);
});
