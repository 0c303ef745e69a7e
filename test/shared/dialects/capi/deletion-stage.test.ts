import { describe, expect, test } from 'vitest';
import { deletionStage } from '../../../../shared/dialects/capi/ready.ts';
import { after, deletedAt } from '../../../builders/cluster-api.ts';

const minutes = (count: number) => after(count * 60);
const deleting = (reason: string, message = '') => ({
  type: 'Deleting',
  status: 'True' as const,
  reason,
  message,
});

const budget = "* Pod a/b: cannot evict pod as it would violate the pod's disruption budget. It needs 1";
const terminating = '* Pod a/c: deletionTimestamp set, but still not removed from the Node';
const failed = '* Pod a/d: failed to evict Pod, internal error';
const waiting = '* Pod a/e: waiting for completion';

const stage = (input: Partial<Parameters<typeof deletionStage>[0]>) =>
  deletionStage({
    deleting: undefined,
    deletedAt,
    drainStartedAt: undefined,
    said: '',
    now: minutes(1),
    ...input,
  });

describe('the stage of a deletion', () => {
  test('without a Deleting condition is that it is in progress', () => {
    expect(stage({})).toBe('Machine deletion in progress');
    expect(stage({ now: minutes(60) })).toBe('Machine deletion in progress');
  });

  test.each([
    [15, 'Machine deletion in progress, stage: WaitingForPreDrainHook'],
    [15.001, 'Machine deletion in progress since more than 15m, stage: WaitingForPreDrainHook'],
    [600, 'Machine deletion in progress since more than 15m, stage: WaitingForPreDrainHook'],
  ])('after %s minutes', (count, text) => {
    expect(stage({ deleting: deleting('WaitingForPreDrainHook', budget), now: minutes(count) })).toBe(text);
  });

  const stale = 'Machine deletion in progress since more than 15m, stage: DrainingNode';
  test.each([
    ['nothing known', 'x', ''],
    ['nothing said', undefined, ''],
    ['a budget', budget, ', delay likely due to PodDisruptionBudgets'],
    ['terminating Pods', terminating, ', delay likely due to Pods not terminating'],
    ['failed evictions', failed, ', delay likely due to Pod eviction errors'],
    ['Pods to wait for', waiting, ', delay likely due to Pods not completed yet'],
    [
      'everything',
      [waiting, failed, terminating, budget].join('\n'),
      ', delay likely due to PodDisruptionBudgets, Pods not terminating, Pod eviction errors, Pods not completed yet',
    ],
  ])('of a slow drain names %s', (_what, message, causes) => {
    const { message: _, ...silent } = deleting('DrainingNode');
    const said = message === undefined ? silent : deleting('DrainingNode', message);
    const drain = { deleting: said, drainStartedAt: minutes(10) };
    expect(stage({ ...drain, now: minutes(15.001) })).toBe(`${stale}${causes}`);
    expect(stage({ ...drain, now: minutes(15) })).toBe('Machine deletion in progress, stage: DrainingNode');
  });

  const slow = `${stale}, delay likely due to PodDisruptionBudgets`;
  test.each([
    ['that it has lasted long', `* Deleting: ${stale}`, minutes(14), stale],
    [
      'that it has lasted long, with another stage',
      '* Deleting: Machine deletion in progress since more than 15m, stage: WaitingForPreDrainHook',
      minutes(14),
      stale,
    ],
    ['that its drain is slow', `* Deleting: ${slow}\n* NodeHealthy: x`, minutes(14), slow],
    [
      'nothing of the kind',
      '* Deleting: Machine deletion in progress, stage: DrainingNode',
      minutes(14),
      'Machine deletion in progress, stage: DrainingNode',
    ],
  ])('by a clock that is behind does not take back %s', (_what, said, drainStartedAt, text) => {
    const drain = { deleting: deleting('DrainingNode', budget), drainStartedAt, said };
    expect(stage({ ...drain, now: minutes(14.5) })).toBe(text);
  });

  test('of a drain that is over has no causes, whatever was said', () => {
    expect(
      stage({ deleting: deleting('WaitingForVolumeDetach', budget), said: slow, now: minutes(20) }),
    ).toBe('Machine deletion in progress since more than 15m, stage: WaitingForVolumeDetach');
  });

  test('names no causes of a drain that is over', () => {
    const drain = { deleting: deleting('WaitingForVolumeDetach', budget), drainStartedAt: minutes(1) };
    expect(stage({ ...drain, now: minutes(20) })).toBe(
      'Machine deletion in progress since more than 15m, stage: WaitingForVolumeDetach',
    );
  });

  test.each([
    ['has only just begun', minutes(20)],
    ['began exactly 5 minutes ago', minutes(15)],
    ['has no start', undefined],
  ])('names no causes when the drain %s', (_when, drainStartedAt) => {
    expect(stage({ deleting: deleting('DrainingNode', budget), drainStartedAt, now: minutes(20) })).toBe(
      stale,
    );
  });
});
