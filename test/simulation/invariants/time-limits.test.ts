import { expect, test } from 'vitest';
import { checkpoint, save, writeCheckpoint } from './asked.ts';
import { openStage } from './stage.ts';
import { timeoutsNeverEarly } from './timeouts-never-early.ts';

const at = 'instance-1 writes the checkpoint of Machine fleet/m1:';

test.each([
  ['a second before', 58_000, [`${at} drain has timed out after 58 s of its 60 s`]],
  ['after', 60_000, []],
])('no time limit ends a phase before its time: %s', async (_when, milliseconds, cries) => {
  const stage = await openStage(timeoutsNeverEarly);
  save(stage, { phase: 'drain' });
  const began = stage.world.now();
  await stage.pass(milliseconds);
  stage.look();
  const since = new Date(began).toISOString();
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual(cries);
});

test('a phase has begun where whoever said so stood still before its word arrived', async () => {
  const stage = await openStage(timeoutsNeverEarly);
  const since = new Date(stage.world.now()).toISOString();
  const asked = writeCheckpoint(stage, checkpoint(stage, { phase: 'drain', since }));
  const arrive = stage.send(asked);
  await stage.pass(60_000);
  arrive(() => stage.patchMachine(asked.body ?? {}));
  stage.look();
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual([]);
});

test('a phase that is taken up again goes on from its first start, though nobody saw it begin', async () => {
  const stage = await openStage(timeoutsNeverEarly);
  save(stage, { phase: 'volume-detach', passed: { drain: 'done' } });
  const since = new Date(stage.world.now()).toISOString();
  await stage.pass(50_000);
  save(stage, { seq: 1, phase: 'drain', since, passed: { 'volume-detach': 'done' } });
  await stage.pass(10_000);
  stage.look();
  save(stage, { seq: 2, phase: 'volume-detach', since, passed: { drain: 'timed-out' } });
  expect(stage.cries).toEqual([]);
});

test.each([
  ['that was an hour ahead when it was decided', 3_600_000, 30_000, []],
  [
    'that was an hour ahead long ago',
    3_600_000,
    120_000,
    [`${at} drain has timed out after 120 s of its 600 s`],
  ],
  [
    'that was ahead by less than was left',
    10_000,
    30_000,
    [`${at} drain has timed out after 30 s of its 600 s`],
  ],
])('a time limit is over by a clock %s', async (_which, ahead, later, cries) => {
  const stage = await openStage(timeoutsNeverEarly);
  stage.patchMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: 600 } } });
  stage.world.begin();
  const [instance] = stage.world.instances();
  const since = new Date(stage.world.now()).toISOString();
  save(stage, { phase: 'drain', since }, instance?.name);
  instance?.strand.skew(ahead);
  stage.look(instance?.name);
  instance?.strand.skew(0);
  await stage.pass(later);
  stage.look(instance?.name);
  save(stage, { seq: 1, phase: 'volume-detach', since, passed: { drain: 'timed-out' } }, instance?.name);
  expect(stage.cries).toEqual(cries);
});

test.each([
  ['for the drain', 'drain', 'volume-detach', { nodeDrainTimeoutSeconds: 0 }],
  ['for volumes', 'volume-detach', 'infrastructure', {}],
  ['for the Node', 'node', 'finalize', {}],
])('without a limit no time is over: %s', async (_what, phase, next, deletion) => {
  const stage = await openStage(timeoutsNeverEarly);
  stage.patchMachine({ spec: { deletion } });
  save(stage, { phase });
  const since = new Date(stage.world.now()).toISOString();
  await stage.pass(3_600_000);
  stage.look();
  save(stage, { seq: 1, phase: next, since, passed: { [phase]: 'timed-out' } });
  expect(stage.cries).toEqual([`${at} ${phase} has timed out after 3600 s, and has no time limit`]);
});
