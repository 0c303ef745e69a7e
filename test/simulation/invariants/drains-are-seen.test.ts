import { expect, test } from 'vitest';
import { save } from './asked.ts';
import { drainsAreSeen } from './drains-are-seen.ts';
import { openStage, type Stage } from './stage.ts';

type Deed = (stage: Stage) => void;

const pass =
  (phase: string, how: string): Deed =>
  (stage) => {
    save(stage, { seq: 1, phase });
    save(stage, { seq: 2, phase: 'pre-terminate', passed: { [phase]: how } });
  };

const goBack: Deed = (stage) => {
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'excluded' } });
  save(stage, { seq: 2, phase: 'drain', passed: { 'volume-detach': 'done' } });
};

const tell =
  (reason: string): Deed =>
  (stage) => {
    const { uid } = stage.machine().metadata;
    const body = { reason, involvedObject: { uid } };
    stage.ask({ verb: 'create', resource: 'events', namespace: 'fleet', body });
  };

const goWrong: Deed = (stage) => stage.observer.hit?.('crash', [], 'instance-1');

const giveIn: Deed = (stage) => stage.observer.stoodStill?.();

const endNamespace: Deed = ({ world: { management } }) => {
  management.patch(
    'namespaces',
    { metadata: { name: 'fleet' } },
    { metadata: { finalizers: ['example.com/held'] } },
  );
  management.remove('namespaces', { metadata: { name: 'fleet' } });
};

async function criesAfter(...deeds: Deed[]): Promise<string[]> {
  const stage = await openStage(drainsAreSeen);
  for (const deed of deeds) deed(stage);
  await stage.pass(121_000);
  stage.observer.ended?.();
  return stage.cries;
}

const drained = pass('drain', 'done');
const cry = (reason: string): string =>
  `instance-1 writes the checkpoint of Machine fleet/m1: no ${reason} is written`;

test.each<[string, Deed[], string[]]>([
  ['a drain that nobody tells of', [drained], [cry('SuccessfulDrainNode')]],
  ['a drain that is told of', [drained, tell('SuccessfulDrainNode')], []],
  [
    'a drain of which something else is told',
    [drained, tell('NodeVolumesDetached')],
    [cry('SuccessfulDrainNode')],
  ],
  ['a wait for volumes that nobody tells of', [pass('volume-detach', 'done')], [cry('NodeVolumesDetached')]],
  ['a wait for volumes that goes back to the drain', [goBack], []],
  ['a drain that was passed over', [pass('drain', 'excluded')], []],
  ['a drain that nobody tells of, as something went wrong', [drained, goWrong], []],
  ['a drain that nobody tells of, as whoever passed it ended when everybody gave in', [drained, giveIn], []],
  ['a drain that nobody tells of after everybody gave in', [giveIn, drained], [cry('SuccessfulDrainNode')]],
  ['a drain that nobody can tell of, as its namespace is going', [endNamespace, drained], []],
])('%s', async (_what, deeds, cries) => {
  expect(await criesAfter(...deeds)).toEqual(cries);
});
