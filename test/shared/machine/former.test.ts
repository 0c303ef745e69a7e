import { expect, test } from 'vitest';
import { isOfFormer, madeAt } from '../../../shared/machine/timestamps.ts';

const raw = { metadata: { name: 'm-1', creationTimestamp: '2026-01-01T12:00:00Z' } };

test.each<[string, string | undefined, boolean]>([
  ['a second before it was made', '2026-01-01T11:59:59Z', true],
  ['that second, with an offset', '2026-01-01T12:59:59+01:00', true],
  ['the second in which it was made', '2026-01-01T12:00:00Z', false],
  ['later', '2026-01-01T12:00:01Z', false],
  ['no time at all', undefined, false],
  ['what is no time', 'long ago', false],
])('what is told of %s is of a former Machine: %s', (_what, time, expected) => {
  expect(isOfFormer({ raw }, time)).toBe(expected);
});

test('a Machine was made when the API server says so', () => {
  expect(madeAt({ raw })).toBe(Date.UTC(2026, 0, 1, 12));
});

test('nothing is of a former Machine where nobody knows when this one was made', () => {
  expect(isOfFormer({ raw: { metadata: { name: 'm-1' } } }, '2026-01-01T11:59:59Z')).toBe(false);
});
