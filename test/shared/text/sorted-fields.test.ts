import { expect, test } from 'vitest';
import { sortedFields } from '../../../shared/text/byte-order.ts';

test.each<[string, unknown, string]>([
  ['of an object, and of each in it', { b: 1, a: { d: null, c: [] } }, '{"a":{"c":[],"d":null},"b":1}'],
  ['of objects in a list, which keeps its order', [{ b: 1, a: 2 }, 0], '[{"a":2,"b":1},0]'],
  ['by their bytes', { '\u{1F600}': 1, '\uFF21': 2, Z: 3, a: 4 }, '{"Z":3,"a":4,"\uFF21":2,"\u{1F600}":1}'],
  ['of nothing else', 'b', '"b"'],
])('fields are sorted: %s', (_what, value, text) => {
  expect(JSON.stringify(value, sortedFields)).toBe(text);
});
