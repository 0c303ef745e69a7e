import { expect, test } from 'vitest';
import { mergeDifference } from '../../../shared/write/status.ts';

test.each<[string, unknown, unknown, unknown]>([
  ['equal texts', 'a', 'a', undefined],
  ['another text', 'a', 'b', 'b'],
  ['something where nothing was', undefined, { a: 1 }, { a: 1 }],
  ['equal objects, whatever their order', { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, undefined],
  ['a field that is new', { a: 1 }, { a: 1, b: 2 }, { b: 2 }],
  ['a field that changed, deep down', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  ['a field that is no more', { a: 1, b: { c: 1, d: 2 } }, { b: { c: 1 } }, { a: null, b: { d: null } }],
  ['lists, which are replaced as a whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
  ['a null, which says that there is nothing', { a: 1 }, { a: null }, { a: null }],
  ['a null where nothing was', {}, { a: null }, undefined],
  ['an object where a null was', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object instead of a text', { a: 'b' }, { a: { b: 1 } }, { a: { b: 1 } }],
])('%s', (_what, before, after, expected) => {
  expect(mergeDifference(before, after)).toEqual(expected);
});
