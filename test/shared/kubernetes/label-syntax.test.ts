import { expect, test } from 'vitest';
import { flawsOfLabelKey, flawsOfLabelValue } from '../../../shared/kubernetes/label-syntax.ts';

/** Of twice as many bytes, and one. */
const prefixOf = (dots: number): string => `${'a.'.repeat(dots)}a`;

test.each<[what: string, key: string, flaws: string[]]>([
  ['a name of 63 bytes', 'n'.repeat(63), []],
  ['one of 64', 'n'.repeat(64), ['name part must be no more than 63 bytes']],
  ['a prefix of 253 bytes', `${prefixOf(126)}/n`, []],
  ['one of 255', `${prefixOf(127)}/n`, ['prefix part must be no more than 253 bytes']],
  [
    'both too long',
    `${prefixOf(127)}/${'n'.repeat(64)}`,
    ['prefix part must be no more than 253 bytes', 'name part must be no more than 63 bytes'],
  ],
])('what is wrong with a key: %s', (_, key, flaws) => {
  expect(flawsOfLabelKey(key)).toEqual(flaws);
});

test.each<[what: string, value: string, flaws: string[]]>([
  ['63 bytes', 'v'.repeat(63), []],
  ['64', 'v'.repeat(64), ['must be no more than 63 bytes']],
])('what is wrong with a value: %s', (_, value, flaws) => {
  expect(flawsOfLabelValue(value)).toEqual(flaws);
});
