import { expect, test } from 'vitest';
import { watchClocks } from './sight/clocks.ts';

test.each<[string, (readonly [at: number, clock: number])[], number[]]>([
  ['that never asked for anything', [], [100_000]],
  ['that was always right', [[90_000, 90_000]], [100_000]],
  [
    'that was ahead a moment ago',
    [
      [90_000, 95_000],
      [99_000, 99_000],
    ],
    [105_000, 100_000],
  ],
  [
    'that was ahead long ago',
    [
      [10_000, 15_000],
      [99_000, 99_000],
    ],
    [100_000],
  ],
  [
    'that is behind since a moment ago',
    [
      [90_000, 90_000],
      [99_000, 9_000],
    ],
    [100_000, 10_000],
  ],
  [
    'that is behind',
    [
      [10_000, 5_000],
      [99_000, 94_000],
    ],
    [95_000],
  ],
])('what an instance may have taken for the present, with a clock %s', (_which, notes, presents) => {
  const clocks = watchClocks();
  for (const [at, clock] of notes) clocks.note('a', { at, awake: at }, clock);
  expect(clocks.presents('a', { at: 100_000, awake: 100_000 })).toEqual(presents);
});

test('what an instance may have taken for the present before it stood still, it may take for it when it wakes', () => {
  const clocks = watchClocks();
  clocks.note('a', { at: 10_000, awake: 10_000 }, 15_000);
  clocks.note('a', { at: 99_000, awake: 19_000 }, 99_000);
  expect(clocks.presents('a', { at: 100_000, awake: 20_000 })).toEqual([105_000, 100_000]);
});
