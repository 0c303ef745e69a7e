import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Reason } from '../../../shared/machine/reason.ts';
import type { Decision } from '../../../shared/phase/decision.ts';
import { drainConditions } from '../../../shared/phase/drain-conditions.ts';
import { aCheckpoint } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

const seenAt = (checkpoint: Partial<Checkpoint>, decision: Decision) =>
  drainConditions(aSubject({ checkpoint: aCheckpoint(checkpoint) }), decision);

const waiting = (reason: Reason, more: object = {}): Decision => ({
  kind: 'wait',
  until: [],
  report: { reason, message: 'why' },
  requeueAfterSeconds: 20,
  ...more,
});

const handOver: Decision = {
  kind: 'hand-over',
  exclusions: [],
  report: { reason: 'HandingOver', message: 'Handed over: drain not begun' },
};
const passed = (as: 'done' | 'timed-out') => ({ drain: { as, since: '2026-01-01T00:00:00Z' } });
const inProgress = ['in-progress', 'PhaseoutDraining', 'its Node is being drained'];

describe('what a decision of the drain means for the Node', () => {
  test.each<[string, Decision, string[] | undefined]>([
    ['an effect', { kind: 'act', effects: [], report: { reason: 'DrainingNode', message: 'x' } }, inProgress],
    ['a wait for Pods', waiting('DrainingNode', { drain: {} }), inProgress],
    ['an attempt that failed', waiting('DrainingNode'), undefined],
    ['a pause', waiting('Paused'), ['not-drained', 'PhaseoutPaused', 'why']],
    ['a hook', waiting('WaitingForPreDrainHook'), ['not-drained', 'PhaseoutHeld', 'why']],
    [
      'a Machine of others',
      { kind: 'ignore', why: 'not ours' },
      ['not-drained', 'PhaseoutLetGo', 'not ours'],
    ],
    [
      'its end',
      { kind: 'advance', passing: 'done', message: 'empty' },
      ['drained', 'PhaseoutDrained', 'empty'],
    ],
    [
      'the end of its time',
      { kind: 'advance', passing: 'timed-out', message: 'late' },
      ['not-drained', 'PhaseoutDrainTimedOut', 'late'],
    ],
    [
      'an exclusion',
      { kind: 'advance', passing: 'excluded', message: 'excluded' },
      ['not-drained', 'PhaseoutLetGo', 'excluded'],
    ],
  ])('is told of %s', (_, decision, expected) => {
    const told = seenAt({ phase: 'drain' }, decision);
    expect(told && [told.stage, told.reason, told.message]).toEqual(
      expected?.map((word, index) => (index === 2 ? `Machine default/m-1: ${word}` : word)),
    );
  });

  test('is nothing in other phases', () => {
    expect(seenAt({ phase: 'volume-detach' }, waiting('Paused'))).toBeUndefined();
    expect(seenAt({ phase: 'pre-drain' }, waiting('WaitingForPreDrainHook'))).toBeUndefined();
  });

  test('is that no drain of ours goes on, where the Machine is handed over undrained', () => {
    expect(seenAt({ phase: 'hand-over', passed: passed('timed-out') }, handOver)).toEqual({
      stage: 'not-drained',
      reason: 'PhaseoutHandedOver',
      message: 'Machine default/m-1: Handed over: drain not begun',
    });
    expect(seenAt({ phase: 'hand-over', passed: passed('done') }, handOver)).toBeUndefined();
  });
});
