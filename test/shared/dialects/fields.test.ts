import { expect, test } from 'vitest';
import { recordAt, textAt } from '../../../shared/dialects/fields.ts';

test.each<[of: string, object: unknown, record: object]>([
  ['an object', { a: { b: { c: 1 } } }, { c: 1 }],
  ['nothing', undefined, {}],
  ['null on the way', { a: null }, {}],
  ['null at its end', { a: { b: null } }, {}],
  ['a list', { a: { b: [1] } }, {}],
  ['a text on the way', { a: 'text' }, {}],
])('the object at the path a.b of %s', (_of, object, record) => {
  expect(recordAt(object, 'a', 'b')).toEqual(record);
});

test.each<[of: string, object: unknown, text: string | undefined]>([
  ['an object', { a: { b: 'text' } }, 'text'],
  ['an empty text', { a: { b: '' } }, undefined],
  ['a number', { a: { b: 7 } }, undefined],
  ['null', { a: null }, undefined],
])('the text at the path a.b of %s', (_of, object, text) => {
  expect(textAt(object, 'a', 'b')).toBe(text);
});
