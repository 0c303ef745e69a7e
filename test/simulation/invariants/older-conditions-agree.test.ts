import { expect, test } from 'vitest';
import { save } from './asked.ts';
import { machines } from './built-stage.ts';
import { olderConditionsAgree } from './older-conditions-agree.ts';
import { openStage, type Stage } from './stage.ts';

const lastTransitionTime = '2026-01-01T00:00:00Z';
const deleting = (reason: string) => ({
  type: 'Deleting',
  status: 'True',
  reason,
  message: '',
  lastTransitionTime,
});
const older = (type: string, status: string) => ({ type, status, lastTransitionTime });

/** With these conditions of the older form, and what is told of its deletion, the Machine stands still. */
function criesOver(stage: Stage, reason: string, conditions: object[], deletion: object = {}): string[] {
  const status = { conditions: [deleting(reason)], deprecated: { v1beta1: { conditions } }, deletion };
  stage.world.management.patch(machines, stage.machine(), { status }, 'status');
  stage.observer.stoodStill?.();
  return stage.cries;
}

test.each<[string, reason: string, older: object[], string[]]>([
  ['says so too', 'DrainingNode', [older('DrainingSucceeded', 'False')], []],
  [
    'is not there',
    'WaitingForPreDrainHook',
    [older('DrainingSucceeded', 'False')],
    [
      'Machine fleet/m1 is held (WaitingForPreDrainHook), and its condition PreDrainDeleteHookSucceeded is not there',
    ],
  ],
  [
    'says that it is over',
    'WaitingForVolumeDetach',
    [older('VolumeDetachSucceeded', 'True')],
    ['Machine fleet/m1 is held (WaitingForVolumeDetach), and its condition VolumeDetachSucceeded is True'],
  ],
  ['is none, for what it never told', 'WaitingForBootstrapDeletion', [], []],
])('a Machine is held, and the older condition %s', async (_what, reason, conditions, cries) => {
  const stage = await openStage(olderConditionsAgree);
  expect(criesOver(stage, reason, conditions)).toEqual(cries);
});

test.each<[string, reason: string, type: string, cries: number]>([
  ['what is said of volumes that came off may stay', 'WaitingForVolumeDetach', 'VolumeDetachSucceeded', 0],
  ['what is said of a drain may not', 'DrainingNode', 'DrainingSucceeded', 1],
])('where somebody writes over a checkpoint, %s', async (_what, reason, type, cries) => {
  const stage = await openStage(olderConditionsAgree);
  const annotations = { 'phaseout.dev/checkpoint': 'lunch' };
  stage.patchMachine({ metadata: { annotations } });
  await stage.pass();
  expect(criesOver(stage, reason, [older(type, 'True')])).toHaveLength(cries);
});

test.each<[string, reason: string, type: string, as: string, cries: number]>([
  ['volumes that came off once', 'WaitingForVolumeDetach', 'VolumeDetachSucceeded', 'done', 0],
  ['volumes that were never waited for', 'WaitingForVolumeDetach', 'VolumeDetachSucceeded', 'excluded', 1],
  ['a drain that was done once', 'DrainingNode', 'DrainingSucceeded', 'done', 1],
])(
  'where phaseout has gone back, what is said may stay of %s, or not',
  async (_what, reason, type, as, cries) => {
    const stage = await openStage(olderConditionsAgree);
    const passed = { drain: 'done', 'volume-detach': as };
    save(stage, { phase: 'volume-detach', passed: { drain: 'done' } });
    save(stage, { seq: 1, phase: 'infrastructure', passed });
    save(stage, { seq: 2, phase: 'volume-detach', passed: { drain: 'done' } });
    expect(criesOver(stage, reason, [older(type, 'True')])).toHaveLength(cries);
  },
);

test.each<[string, reason: string, deletion: object, cries: number]>([
  ['a drain that has not begun', 'DrainingNode', {}, 0],
  ['a drain that has', 'DrainingNode', { nodeDrainStartTime: lastTransitionTime }, 1],
  ['a wait for volumes that has not begun', 'WaitingForVolumeDetach', {}, 0],
  [
    'a wait for volumes that has',
    'WaitingForVolumeDetach',
    { nodeDrainStartTime: lastTransitionTime, waitForNodeVolumeDetachStartTime: lastTransitionTime },
    1,
  ],
  ['a hook', 'WaitingForPreDrainHook', {}, 1],
])('%s needs an older condition, or not', async (_what, reason, deletion, cries) => {
  const stage = await openStage(olderConditionsAgree);
  expect(criesOver(stage, reason, [], deletion)).toHaveLength(cries);
});
