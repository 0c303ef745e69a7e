import { expect, test } from 'vitest';
import type { Advance } from '../../../shared/machine/messages.ts';
import { cordon, nodeOf } from './asked.ts';
import { fleet } from './built-stage.ts';
import { knowledgeIsFresh } from './knowledge-is-fresh.ts';
import { openStage, type Stage } from './stage.ts';

/** The instance of a stage, and how it begins a step of the Machine. */
async function open() {
  const stage = await openStage(knowledgeIsFresh);
  stage.world.begin();
  const [instance] = stage.world.instances();
  const { uid = '' } = stage.machine().metadata;
  const step: Advance = {
    machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', ...fleet, uid },
    phase: 'drain',
    seq: 1,
  };
  const beginStep = (): void => {
    Object.assign(instance!, { steps: () => [step] });
    stage.ask({ verb: 'get', host: 'blue', resource: 'nodes', name: 'node-1' });
  };
  return { stage, beginStep, standStill: (milliseconds: number) => stillFor(stage, milliseconds) };
}

function stillFor(stage: Stage, milliseconds: number): Promise<void> {
  stage.world.instances()[0]?.strand.pause(milliseconds);
  return stage.pass(milliseconds);
}

const old = 'instance-1 cordons Node node-1 in blue: Machine fleet/m1 was not read for more than 10 s';

test('what was known before somebody stood still is old in a step that begins later', async () => {
  const { stage, beginStep, standStill } = await open();
  stage.look();
  await standStill(10_001);
  beginStep();
  stage.ask(cordon(nodeOf(stage)));
  expect(stage.cries).toEqual([old]);
});

test('what was known when a step began is known to who stands still in it', async () => {
  const { stage, beginStep, standStill } = await open();
  stage.look();
  beginStep();
  await standStill(10_001);
  stage.ask(cordon(nodeOf(stage)));
  expect(stage.cries).toEqual([]);
});
