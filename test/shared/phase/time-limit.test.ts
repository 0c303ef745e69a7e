import { describe, expect, test } from 'vitest';
import { openShift } from '../../../shared/dialects/openshift/index.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { deadlineOf, limitStart, shownStart, startOrNow } from '../../../shared/phase/time-limit.ts';
import { beside } from '../../builders/beside.ts';
import { after, aMachine, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

interface Given {
  checkpoint?: Partial<Checkpoint>;
  status?: object;
  limit?: number;
}

/** In the drain, handed on a second after the deletion began. */
function inDrain({ checkpoint, status = {}, limit = 30 }: Given = {}) {
  const spec = { deletion: { nodeDrainTimeoutSeconds: limit } };
  const subject = aSubject({ machine: aMachine({ spec, status: { ...status } }) });
  const { reached: _, ...handedOn } = subject.checkpoint;
  return { ...subject, checkpoint: { ...handedOn, ...checkpoint } };
}

const told = (seconds: number) => ({ deletion: { nodeDrainStartTime: timeAfter(seconds) } });

describe('the time limit of a drain', () => {
  test.each<[string, Given, startsAfter: number | undefined]>([
    ['has not started while nothing tells of an attempt', {}, undefined],
    [
      'started when the checkpoint says so',
      { checkpoint: { since: timeAfter(9), reached: timeAfter(1) } },
      9,
    ],
    ['started when the status says so, later than it was handed on', { status: told(7) }, 7],
    [
      'started within the second that the status tells',
      { checkpoint: { since: '2026-01-01T12:00:07.400Z' }, status: told(7) },
      7.4,
    ],
    [
      'of the checkpoint counts, whatever the status says',
      { checkpoint: { since: timeAfter(9), reached: timeAfter(1) }, status: told(2) },
      9,
    ],
    [
      'never started before the deletion',
      { checkpoint: { since: timeAfter(-7_200), reached: timeAfter(-7_200) } },
      0,
    ],
  ])('%s', (_what, given, seconds) => {
    expect(limitStart(inDrain(given))).toBe(seconds === undefined ? undefined : after(seconds));
  });

  test('ends that long after its start', () => {
    expect(deadlineOf('drain', inDrain({ status: told(7) }), after(10))).toEqual([after(37)]);
  });

  test('ends that long after the attempt that runs now, where that is the first', () => {
    expect(deadlineOf('drain', inDrain(), after(600))).toEqual([after(630)]);
  });

  test('has no end where there is none', () => {
    expect(deadlineOf('drain', inDrain({ limit: 0, status: told(7) }), after(10))).toEqual([]);
  });
});

describe('the first attempt starts', () => {
  test.each<[string, number, startsAfter: number]>([
    ['when it was handed on, if that was just now', 1.999, 1],
    ['now, if that was a second ago', 2, 2],
  ])('%s', (_what, now, seconds) => {
    expect(startOrNow(inDrain(), after(now))).toBe(after(seconds));
  });

  test('now, where the status tells of a start that lies in the future', () => {
    expect(startOrNow(inDrain({ status: told(3_600) }), after(10))).toBe(after(10));
  });
});

test('where no status tells of starts, a phase is shown to have started when it was handed on', () => {
  expect(shownStart({ ...inDrain(), dialect: openShift }, after(600))).toBe(after(1));
  expect(shownStart({ ...inDrain(), dialect: beside() }, after(600))).toBe(after(1));
  expect(shownStart(inDrain(), after(600))).toBe(after(600));
});
