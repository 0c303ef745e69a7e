import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Advance } from '../../../shared/machine/messages.ts';
import { evict } from './asked.ts';
import { fleet, machines } from './built-stage.ts';
import { onlyOfDeletedMachines } from './only-what-is-ours.ts';
import { openStage, type Stage } from './stage.ts';

const apiVersion = 'cluster.x-k8s.io/v1beta2';

/** The Machine is torn away, and another one of its name is made that lives. */
function makeAgain(stage: Stage): void {
  const { management } = stage.world;
  const { spec } = stage.machine();
  stage.patchMachine({ metadata: { finalizers: null } });
  const again: KubeObject = { apiVersion, kind: 'Machine', metadata: fleet, spec };
  management.create(machines, again);
}

/** An instance sends an eviction. When it arrives, another Machine has the name, and the instance has read that one. */
async function criesFor(name: string): Promise<string[]> {
  const stage = await openStage(onlyOfDeletedMachines);
  const pod = stage.pod('a');
  await stage.pass(10);
  stage.world.begin();
  const [instance] = stage.world.instances();
  const { uid = '' } = stage.machine().metadata;
  const step: Advance = { machine: { apiVersion, ...fleet, name, uid }, phase: 'drain', seq: 1 };
  Object.assign(instance!, { steps: () => [step] });
  stage.look();
  const arrive = stage.send(evict(pod));
  makeAgain(stage);
  await stage.pass(5_000);
  stage.ask({ verb: 'list', resource: machines });
  await stage.pass(100);
  arrive();
  return stage.cries;
}

const cry = 'instance-1 evicts Pod shop/a in blue: Machine fleet/m1 lives';

test('a step goes on for the Machine that it began for, whichever has its name by now', async () => {
  expect(await criesFor('m1')).toEqual([]);
});

test('a step for a Machine of another name is no excuse', async () => {
  expect(await criesFor('m2')).toEqual([cry]);
});
