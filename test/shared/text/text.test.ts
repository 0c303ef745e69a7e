import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes, sortedByBytes } from '../../../shared/text/byte-order.ts';
import { aggregate, commonLength, cut, listOf } from '../../../shared/text/truncate.ts';

test('byte order knows neither numbers nor alphabets', () => {
  expect(sortedByBytes(['a/x', 'a-b/x', 'a', '9-x', '10-x', 'Z', 'é', 'z', '\u{1F600}', '\uFFFD'])).toEqual([
    '10-x',
    '9-x',
    'Z',
    'a',
    'a-b/x',
    'a/x',
    'z',
    'é',
    '\uFFFD',
    '\u{1F600}',
  ]);
});

test('byte order puts the first and the last of characters beyond 16 bits where they belong', () => {
  expect(sortedByBytes(['\u{10FFFF}', '\u{10FFFE}', '\u{10000}', '\uFFFD'])).toEqual([
    '\uFFFD',
    '\u{10000}',
    '\u{10FFFE}',
    '\u{10FFFF}',
  ]);
});

test('byte order is the order of the UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', '\uE000', '\uFFFD', '\u{1F600}', '\u{10FFFF}'),
    maxLength: 4,
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', 'b', 'c', 'd'], 'a, b, c, ... (1 more)'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c, ... (2 more)'],
])('%j is listed as %j', (entries, expected) => {
  expect(listOf(entries, 3)).toBe(expected);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'a'], 'a'],
  [['a', 'b', 'a'], '[a, b]'],
])('the errors %j read %j', (errors, expected) => {
  expect(aggregate(errors)).toBe(expected);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'ab...'],
  ['abcdef', 2, '..'],
  ['abcdef', 0, ''],
  ['a\u{1F600}bcd', 5, 'a...'],
  ['a\u{10000}bcd', 5, 'a...'],
  ['a\u{10FFFF}bcd', 5, 'a...'],
  ['\u{1F600}bcdef', 5, '\u{1F600}...'],
])('%j cut to %i is %j', (text, length, expected) => {
  expect(cut(text, length)).toBe(expected);
});

test.each([
  ['everything fits', [3, 4], 7, Number.POSITIVE_INFINITY],
  ['long texts share evenly', [100, 100], 50, 25],
  ['short texts leave room to long ones', [2, 100, 100], 22, 10],
  ['wherever the short ones stand', [100, 2, 100], 22, 10],
  ['no room at all', [5], -3, 0],
])('%s', (_, lengths, room, expected) => {
  expect(commonLength(lengths, room)).toBe(expected);
});

test('cut texts never take more than the room', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 6 }), fc.nat(200), (texts, room) => {
      const length = commonLength(
        texts.map((each) => each.length),
        room,
      );
      expect(texts.map((each) => cut(each, length)).join('').length).toBeLessThanOrEqual(room);
    }),
  );
});
