import { expect, test } from 'vitest';
import { podsToHurry } from '../../../shared/drain/plan.ts';
import { pod } from '../../builders/pods.ts';

const now = Date.parse('2026-01-01T12:00:00Z');

test.each<[what: string, deletionTimestamp: string | undefined, isHurried: boolean]>([
  ['has an hour left', '2026-01-01T13:00:00Z', true],
  ['has three seconds left', '2026-01-01T12:00:03Z', true],
  ['has no more than an eviction would give it', '2026-01-01T12:00:02Z', false],
  ['was to be gone before', '2026-01-01T11:59:00Z', false],
  ['was evicted and does not show it yet', undefined, false],
])('a Pod that %s', (_what, deletionTimestamp, isHurried) => {
  const leaving = pod('ns/a', deletionTimestamp === undefined ? {} : { deletionTimestamp });
  const batches = [{ order: 0, pods: [leaving] }];
  expect(podsToHurry({ terminating: [leaving], batches }, 1, now)).toEqual(isHurried ? [leaving] : []);
});

test.each<[given: number | undefined, isHurried: boolean]>([
  [30, true],
  [2, true],
  [1, false],
  [0, false],
  [undefined, true],
])('by a clock that is behind, a Pod that was given %s seconds: %s', (given, isHurried) => {
  const leaving = pod('ns/a', { deletionTimestamp: '2026-01-01T12:00:30Z' });
  if (given !== undefined) leaving.metadata['deletionGracePeriodSeconds'] = given;
  const batches = [{ order: 0, pods: [leaving] }];
  expect(podsToHurry({ terminating: [leaving], batches }, 1, now)).toEqual(isHurried ? [leaving] : []);
});

test('a Pod of a later order keeps its time while one of an earlier order is there', () => {
  const leaving = pod('ns/a', { deletionTimestamp: '2026-01-01T13:00:00Z' });
  const others = [{ order: -10, pods: [pod('ns/b')] }];
  const batches = [...others, { order: 0, pods: [leaving] }];
  expect(podsToHurry({ terminating: [leaving], batches }, 1, now)).toEqual([]);
  expect(podsToHurry({ terminating: [leaving], batches: [] }, 1, now)).toEqual([]);
});
