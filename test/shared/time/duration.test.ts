import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGoDuration, wholeSeconds } from '../../../shared/time/duration.ts';

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
