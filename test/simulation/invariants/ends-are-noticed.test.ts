import { save } from './asked.ts';
import { testsOf } from './cases.ts';
import { endsAreNoticed } from './ends-are-noticed.ts';
import type { Stage } from './stage.ts';

const invariant = endsAreNoticed;
const writes = 'instance-1 writes the checkpoint of Machine fleet/m1: nothing has held';

/** The Pod goes after half a minute, and that the drain is over is written so many seconds later. */
async function drained(stage: Stage, seconds: number, act: (stage: Stage) => void = () => undefined) {
  save(stage, { seq: 1, phase: 'drain' });
  const pod = stage.pod('a');
  await stage.pass(30_000);
  stage.world.cluster('blue').remove('pods', pod, { gracePeriodSeconds: 0 });
  act(stage);
  await stage.pass(seconds * 1_000);
  stage.look();
  save(stage, { seq: 2, phase: 'volume-detach', passed: { drain: 'done' } });
}

/** The same of a drain that was passed before, and gone back to. */
async function drainedAgain(stage: Stage, seconds: number): Promise<void> {
  save(stage, { seq: 0, phase: 'volume-detach', passed: { drain: 'done' } });
  await drained(stage, seconds);
}

async function unhooked(stage: Stage, seconds: number): Promise<void> {
  const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
  stage.patchMachine({ metadata: { annotations: { [hook]: 'somebody' } } });
  save(stage, { seq: 1, phase: 'pre-drain' });
  await stage.pass(30_000);
  stage.patchMachine({ metadata: { annotations: { [hook]: null } } });
  await stage.pass(seconds * 1_000);
  save(stage, { seq: 2, phase: 'drain', passed: { 'pre-drain': 'done' } });
}

testsOf([
  { about: 'the last Pod has gone three seconds ago', invariant, act: (stage) => drained(stage, 3) },
  {
    about: 'the last Pod has gone long ago',
    invariant,
    act: (stage) => drained(stage, 15),
    cries: `${writes} drain for 15 s`,
  },
  {
    about: 'the last Pod has gone long ago, and something went wrong meanwhile',
    invariant,
    act: (stage) => drained(stage, 15, ({ observer }) => observer.hit?.('events-lost', [], undefined)),
  },
  {
    about: 'the last Pod of those that came to a drained Node may have come back, and has gone 15 s ago',
    invariant,
    act: (stage) => drainedAgain(stage, 15),
  },
  {
    about: 'the last Pod of those that came to a drained Node has gone long ago',
    invariant,
    act: (stage) => drainedAgain(stage, 40),
    cries: `${writes} drain for 40 s`,
  },
  { about: 'the last hook has gone three seconds ago', invariant, act: (stage) => unhooked(stage, 3) },
  {
    about: 'the last hook has gone long ago',
    invariant,
    act: (stage) => unhooked(stage, 15),
    cries: `${writes} pre-drain for 15 s`,
  },
]);
