import { expect, test } from 'vitest';
import { cutToBytes } from '../../../shared/text/truncate.ts';

test.each([
  ['a text that fits is left alone', 'abcdef', 6, 'abcdef'],
  ['one that does not fit says so', 'abcdefg', 6, 'abc...'],
  ['bytes are counted, not characters', 'äääää', 9, 'äää...'],
  ['no character is split', 'ab😀😀', 9, 'ab😀...'],
  ['nor one that would fit by half', 'abc😀😀', 9, 'abc...'],
])('%s', (_, text, bytes, expected) => {
  expect(cutToBytes(text, bytes)).toBe(expected);
});
