import { expect, it } from 'vitest';
import { areEqual } from '../../../../../infra/local/kubernetes/server/json.ts';

it.each<[one: unknown, other: unknown, expected: boolean]>([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ 0: 1 }, [1], false],
  [1, '1', false],
])('%j and %j are equal: %s', (one, other, expected) => {
  expect(areEqual(one, other)).toBe(expected);
});
