import { expect, test } from 'vitest';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { drainIsTrusted } from '../../../shared/phase/retreat.ts';
import { clockToleranceMilliseconds } from '../../../shared/time/clock.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { aSubject } from '../../builders/subject.ts';

const none = { isLate: false, isLongAgo: false, isLongAgoByAll: false };
const late = { ...none, isLate: true };
const long = { ...late, isLongAgo: true };

test.each<[when: string, seconds: number, checkpoint: Partial<Checkpoint>, expected: typeof none]>([
  ['five seconds ago', 65, {}, none],
  ['a little longer ago', 65.001, {}, long],
  ['by a clock that is five seconds ahead', 55, {}, none],
  ['by one that is ahead by more: nobody knows when', 54.999, {}, late],
  ['half a minute and five seconds ago', 95, {}, long],
  ['longer ago than clocks may differ', 95.001, {}, { ...long, isLongAgoByAll: true }],
  ['now, and began long before', 101, { since: timeAfter(1), reached: timeAfter(100) }, none],
  ['long after it began', 70, { since: timeAfter(1), reached: timeAfter(60) }, long],
  // It was set back to the present.
  ['nobody knows when, without a time limit', 65, { phase: 'infrastructure', reached: timeAfter(30) }, late],
])('a phase that was reached %s', (_when, seconds, checkpoint, expected) => {
  const subject = aSubject({ checkpoint: { phase: 'volume-detach', since: timeAfter(60), ...checkpoint } });
  const now = after(seconds);
  expect({
    isLate: !drainIsTrusted(subject, now),
    isLongAgo: !drainIsTrusted(subject, now, 0),
    isLongAgoByAll: !drainIsTrusted(subject, now, clockToleranceMilliseconds),
  }).toEqual(expected);
});
