import { expect, test } from 'vitest';
import { InStep } from '../../../shared/runtime/in-step.ts';

const minute = 60_000;

test.each<[when: string, milliseconds: number, version: string, isInStep: boolean]>([
  ['at once', 0, '7', true],
  ['just before ten minutes are over', 10 * minute - 1, '7', true],
  ['after ten minutes', 10 * minute, '7', false],
  ['at another version', 0, '8', false],
  ['when the clock was set back since: nobody knows how long it is ago', -1, '7', false],
])(
  'a Machine that was found in step is known to be, or not, %s',
  (_when, milliseconds, version, isInStep) => {
    const time = { now: 100 * minute };
    const inStep = new InStep({ now: () => time.now, after: () => () => undefined });
    inStep.remember('uid-1', '7');
    time.now += milliseconds;
    expect(inStep.has('uid-1', version)).toBe(isInStep);
    expect(inStep.has('uid-2', version)).toBe(false);
  },
);
