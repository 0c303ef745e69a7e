import { expect, test } from 'vitest';
import { believedRetryAfter } from '../../../shared/kubernetes/errors.ts';

test.each<[string, number | undefined, number | undefined]>([
  ['none', undefined, undefined],
  ['at once', 0, 0],
  ['a while', 7.5, 7.5],
  ['a minute', 60, 60],
  ['longer than a minute', 61, 60],
  ['for ever', Infinity, 60],
  ['what is no time', Number.NaN, undefined],
  ['what is over', -1, undefined],
])('of a Retry-After is believed: %s', (_what, seconds, believed) => {
  expect(believedRetryAfter(seconds)).toBe(believed);
});
