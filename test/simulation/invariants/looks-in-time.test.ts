import { expect, test } from 'vitest';
import { aLook, machine } from '../store/open-store.ts';
import { save, takeFinalizer } from './asked.ts';
import { dueIsLookedAt } from './due-is-looked-at.ts';
import { limitsEndInTime } from './limits-end-in-time.ts';
import { openStage, type Stage, storeOf } from './stage.ts';

const strike = ({ observer }: Stage): void => observer.hit?.('timeout', [], 'instance-1');

const late = 'instance-1 writes the checkpoint of Machine fleet/m1: drain has timed out 40 s after its time';

/** The drain may take a minute, and is said to have timed out after so many seconds. */
async function timedOutAfter(seconds: number, before?: (stage: Stage) => Promise<void> | void) {
  const stage = await openStage(limitsEndInTime);
  await before?.(stage);
  save(stage, { phase: 'drain' });
  await stage.pass(seconds * 1_000);
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'timed-out' } });
  return stage.cries;
}

async function strikeLongAgo(stage: Stage): Promise<void> {
  strike(stage);
  stage.observer.calm?.();
  await stage.pass(181_000);
}

test.each([
  ['at the next look', 75, undefined, []],
  ['long after', 100, undefined, [late]],
  ['long after, and something had gone wrong before the phase', 100, strike, []],
  ['long after, and something had gone wrong long before the calm', 100, strikeLongAgo, [late]],
])('a time limit ends a phase in time: %s', async (_when, seconds, before, cries) => {
  expect(await timedOutAfter(seconds, before)).toEqual(cries);
});

test.each([
  ['at once', 5, []],
  [
    'long after',
    30,
    ['instance-1 writes the checkpoint of Machine fleet/m1: drain has timed out 30 s after its time'],
  ],
])(
  'a time limit that was over before a Machine came back to the drain ends it: %s',
  async (_when, seconds, cries) => {
    const stage = await openStage(limitsEndInTime);
    save(stage, { phase: 'drain' });
    save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'done' } });
    await stage.pass(100_000);
    save(stage, { seq: 2, phase: 'drain' });
    await stage.pass(seconds * 1_000);
    save(stage, { seq: 3, phase: 'volume-detach', passed: { drain: 'timed-out' } });
    expect(stage.cries).toEqual(cries);
  },
);

test('a time limit may end late where something goes wrong', async () => {
  const stage = await openStage(limitsEndInTime);
  save(stage, { phase: 'drain' });
  await stage.pass(30_000);
  strike(stage);
  await stage.pass(70_000);
  save(stage, { seq: 1, phase: 'volume-detach', passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual([]);
});

/** A minute is allowed for the drain, and for the Node. */
test.each([
  ['left behind late', 'node', 'timed-out', 90, ['node has timed out 30 s after its time']],
  ['tried for longer than users allow', 'node', 'done', 90, ['node has been done 30 s after its time']],
  ['deleted in time', 'node', 'done', 60, []],
  ['drained after its time, which goes on until somebody looks', 'drain', 'done', 100, []],
])('a Node may not be tried for ever: one that is %s', async (_how, phase, as, seconds, cries) => {
  const stage = await openStage(limitsEndInTime);
  stage.patchMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: 60, nodeDeletionTimeoutSeconds: 60 } } });
  save(stage, { phase });
  await stage.pass(seconds * 1_000);
  save(stage, { seq: 1, phase: 'finalize', passed: { [phase]: as } });
  expect(stage.cries).toEqual(cries.map((cry) => expect.stringContaining(cry)));
});

test('nobody is late where there is no limit', async () => {
  const stage = await openStage(limitsEndInTime);
  stage.patchMachine({ spec: { deletion: { nodeDeletionTimeoutSeconds: 0 } } });
  save(stage, { phase: 'node' });
  await stage.pass(3_600_000);
  save(stage, { seq: 1, phase: 'finalize', passed: { node: 'done' } });
  expect(stage.cries).toEqual([]);
});

const tick = ({ observer }: Stage, sweep: string): void =>
  observer.event?.({
    attributes: { type: 'dev.knative.sources.ping', id: 'tick' },
    data: Buffer.from(JSON.stringify({ sweep })),
  });

interface Due {
  sweep?: string;
  inMilliseconds?: number;
  meanwhile?: (stage: Stage) => void;
}

/** A look at the Machine is due and a tick comes, and half a minute later another one. */
async function criesOfDue({ sweep = 'due', inMilliseconds = 0, meanwhile }: Due): Promise<string[]> {
  const stage = await openStage(dueIsLookedAt);
  const { uid = '' } = stage.machine().metadata;
  const look = aLook({ machine: { ...machine, uid }, at: stage.world.now() + inMilliseconds });
  await storeOf(stage).schedule(look);
  tick(stage, sweep);
  meanwhile?.(stage);
  await stage.pass(30_000);
  tick(stage, 'due');
  return stage.cries;
}

test('what is due when everybody gives in may wait for an instance that moves meanwhile', async () => {
  expect(await criesOfDue({ meanwhile: ({ observer }) => observer.stoodStill?.() })).toEqual([]);
});

test('what is due is looked at', async () => {
  expect(await criesOfDue({})).toEqual(['nobody looks at Machine fleet/m1, which is due']);
});

const command = (stage: Stage): void =>
  stage.observer.event?.({
    attributes: {
      type: 'dev.phaseout.deletion.advance.v1',
      id: 'command',
      partitionkey: stage.machine().metadata.uid ?? '',
    },
    data: Buffer.from('{}'),
  });

test.each<[string, Due]>([
  ['it is not due yet', { inMilliseconds: 10_000 }],
  ['the tick asks for something else', { sweep: 'all' }],
  ['something goes wrong', { meanwhile: strike }],
  ['the Machine is let go', { meanwhile: letGo }],
  ['the Machine is given away', { meanwhile: giveAway }],
  ['somebody is asked to look', { meanwhile: command }],
])('nobody has to look where %s', async (_why, due) => {
  expect(await criesOfDue(due)).toEqual([]);
});

function letGo(stage: Stage): void {
  const finalizers = ['example.com/other'];
  stage.ask(takeFinalizer(stage), () => stage.patchMachine({ metadata: { finalizers } }));
}

function giveAway({ world }: Stage): void {
  world.config = { ...world.config, watchFilter: 'ours' };
}
