import { expect, test } from 'vitest';
import { InStep } from '../../../shared/runtime/in-step.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';

const minute = 60_000;

test.each<[when: string, milliseconds: number, setBack: number, version: string, isInStep: boolean]>([
  ['at once', 0, 0, '7', true],
  ['just before ten minutes are over', 10 * minute - 1, 0, '7', true],
  ['after ten minutes', 10 * minute, 0, '7', false],
  ['at another version', 0, 0, '8', false],
  ['just before ten minutes are over by a clock that was set back', 10 * minute - 1, 60 * minute, '7', true],
  ['after ten minutes by a clock that was set back', 10 * minute, 60 * minute, '7', false],
])(
  'a Machine that was found in step is known to be, or not, %s',
  async (_when, milliseconds, setBack, version, isInStep) => {
    const clock = manualClock();
    const inStep = new InStep(clock);
    inStep.remember('uid-1', '7');
    clock.setBack(setBack);
    await clock.advance(milliseconds);
    expect(inStep.has('uid-1', version)).toBe(isInStep);
    expect(inStep.has('uid-2', version)).toBe(false);
  },
);
