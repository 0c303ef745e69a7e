import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goDuration, parseGoDuration, wholeSeconds } from '../../../shared/time/duration.ts';

describe('a duration as Go writes it', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['+0', 0n],
    ['0s', 0n],
    ['10s', 10_000_000_000n],
    ['+10s', 10_000_000_000n],
    ['-10s', -10_000_000_000n],
    ['1h2m3s', 3_723_000_000_000n],
    ['1m1m', 120_000_000_000n],
    ['1.5h', 5_400_000_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['999ms', 999_000_000n],
    ['1us', 1_000n],
    ['1\u00b5s', 1_000n],
    ['1\u03bcs', 1_000n],
    ['7ns', 7n],
    ['0.9999999999s', 999_999_999n],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
  ])('%s is %s ns', (text, nanoseconds) => {
    expect(parseGoDuration(text)).toBe(nanoseconds);
  });

  test.each([
    [''],
    ['+'],
    ['-'],
    ['10'],
    ['s'],
    ['.s'],
    ['1d'],
    ['1S'],
    [' 1s'],
    ['1s '],
    ['1 s'],
    ['--1s'],
    ['1s2'],
    ['1e3s'],
    ['1.2.3s'],
    ['9223372036854775808ns'],
    ['-9223372036854775809ns'],
    ['2562048h'],
  ])('%j is none', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });

  test('any text is read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['bigint', 'undefined']).toContain(typeof parseGoDuration(text));
      }),
    );
  });

  test('hours, minutes and seconds add up', () => {
    const part = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(part, part, part, (h, m, s) => {
        expect(wholeSeconds(parseGoDuration(`${h}h${m}m${s}s`) ?? -1n)).toBe(h * 3600 + m * 60 + s);
      }),
    );
  });
});

describe('whole seconds', () => {
  test.each([
    ['999ms', 0],
    ['-999ms', 0],
    ['1.9s', 1],
    ['-1.9s', -1],
    ['-10s', -10],
    ['2147483647s', 2_147_483_647],
    ['2147483648s', 2_147_483_647],
    ['2562047h', 2_147_483_647],
  ])('of %s are %s', (text, seconds) => {
    expect(wholeSeconds(parseGoDuration(text) ?? 1n)).toBe(seconds);
  });
});

describe('whole milliseconds as Go writes them', () => {
  test.each([
    [0, '0s'],
    [0.4, '0s'],
    [200, '200ms'],
    [1_000, '1s'],
    [1_500, '1.5s'],
    [20_000, '20s'],
    [59_999.7, '1m0s'],
    [90_000, '1m30s'],
    [3_600_000, '1h0m0s'],
    [90_061_500, '25h1m1.5s'],
  ])('%d ms are %s', (milliseconds, text) => {
    expect(goDuration(milliseconds)).toBe(text);
  });

  test('are read as what they were', () => {
    fc.assert(
      fc.property(fc.nat(), (milliseconds) => {
        expect(parseGoDuration(goDuration(milliseconds))).toBe(BigInt(milliseconds) * 1_000_000n);
      }),
    );
  });
});
