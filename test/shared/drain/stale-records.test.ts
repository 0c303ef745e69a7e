import { expect, test } from 'vitest';
import { believedRecords } from '../../../shared/drain/pod-record.ts';
import { record, recordsOf } from '../../builders/pods.ts';

const now = 1_000_000;

test.each<[string, Parameters<typeof record>[1], boolean]>([
  ['an eviction accepted 20 seconds ago', { outcome: 'accepted', lastAttempt: now - 20_000 }, true],
  ['but not one accepted longer ago', { outcome: 'accepted', lastAttempt: now - 20_001 }, false],
  ['nor a Pod said to be gone that long ago', { outcome: 'gone', lastAttempt: now - 20_001 }, false],
  ['what a clock that is a little ahead wrote', { outcome: 'accepted', lastAttempt: now + 2_000 }, true],
  ['but not what one that is far ahead wrote', { outcome: 'gone', lastAttempt: now + 60_000 }, false],
  ['a refusal of whatever age: its back-off counts', { outcome: 'refused', lastAttempt: 0 }, true],
])('believed is %s', (_what, parts, isBelieved) => {
  const records = recordsOf(record('ns/a', parts));
  expect(believedRecords(records, now)).toEqual(isBelieved ? records : new Map());
});
