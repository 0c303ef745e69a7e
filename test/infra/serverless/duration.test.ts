import { expect, test } from 'vitest';
import { durationMilliseconds } from '../../../infra/serverless/duration.ts';

test.each([
  ['PT0.2S', 200],
  ['PT0.25S', 200],
  ['PT0.05S', 0],
  ['PT0.3S', 300],
  ['PT10S', 10_000],
  ['PT1M30.5S', 90_500],
  ['PT2H', 7_200_000],
  ['P1D', 86_400_000],
  ['P1DT1S', 86_401_000],
  ['P', undefined],
  ['PT', undefined],
  ['5s', undefined],
  ['PT-1S', undefined],
  ['', undefined],
])('%s is %s ms', (text, milliseconds) => {
  expect(durationMilliseconds(text)).toBe(milliseconds);
});
