import { expect, test } from 'vitest';
import { nextLook } from '../../../shared/follow/watched.ts';

test.each([
  ['at first after 20 seconds', 0, 20],
  ['a while later still', 80, 20],
  ['after a quarter of what it has lasted', 400, 100],
  ['after 5 minutes at most', 3_600, 300],
])('a deletion is looked at %s', (_when, lasted, pause) => {
  expect(nextLook(0, lasted * 1_000)).toBe((lasted + pause) * 1_000);
});
