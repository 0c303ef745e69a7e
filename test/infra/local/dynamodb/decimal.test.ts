import { describe, expect, test } from 'vitest';
import { compareDecimals, decimalOf, sumOf } from '../../../../infra/local/dynamodb/value.ts';

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['0.00', '0'],
  ['007', '7'],
  ['1.50', '1.5'],
  ['-1200', '-1200'],
  ['1e3', '1000'],
  ['12.5E-3', '0.0125'],
  ['1764183829123.4567', '1764183829123.4567'],
  ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ['1e-130', `0.${'0'.repeat(129)}1`],
])('%s is kept as %s', (text, expected) => {
  expect(decimalOf(text)).toBe(expected);
});

test.each([
  ['', 'cannot be converted to a numeric value'],
  ['NaN', 'cannot be converted to a numeric value: NaN'],
  ['Infinity', 'cannot be converted to a numeric value: Infinity'],
  ['0x10', 'cannot be converted to a numeric value: 0x10'],
  ['1 ', 'cannot be converted to a numeric value'],
  ['123456789012345678901234567890123456789', 'more than 38 significant digits'],
  ['1e126', 'Number overflow'],
  ['1e999999999999', 'Number overflow'],
  ['1e-131', 'Number underflow'],
  [`1${'0'.repeat(1_000_000)}`, 'cannot be converted to a numeric value'],
])('%s is no number that is kept', (text, why) => {
  expect(() => decimalOf(text)).toThrow(why);
});

describe('numbers are compared as numbers, also where doubles are the same', () => {
  test.each([
    ['9', '10', -1],
    ['-9', '-10', 1],
    ['1.5', '1.25', 1],
    ['7', '7', 0],
    ['9007199254740993', '9007199254740992', 1],
    ['0.10000000000000000001', '0.1', 1],
    ['-9007199254740993', '-9007199254740992', -1],
  ])('%s and %s', (one, other, expected) => {
    expect(Math.sign(compareDecimals(one, other))).toBe(expected);
  });
});

test.each([
  ['1', '2', '3'],
  ['0.1', '0.2', '0.3'],
  ['1.5', '-1.5', '0'],
  ['9007199254740993', '1', '9007199254740994'],
  ['-0.5', '0.25', '-0.25'],
])('the sum of %s and %s is %s', (one, other, expected) => {
  expect(sumOf(one, other)).toBe(expected);
});
