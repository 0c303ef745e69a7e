import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { isBefore, type Phase } from '../../../shared/machine/phase.ts';
import type { StepView } from '../views.ts';

/** The phases of a Machine's API as a row. `here`: where its deletion stands, as far as that is known. */
export function stepsOf(
  phases: readonly Phase[],
  here: Phase | undefined,
  passed: Checkpoint['passed'] = {},
): StepView[] {
  return phases.map((phase) => {
    if (phase === here) return { phase, state: 'here' };
    if (here === undefined || isBefore(here, phase)) return { phase, state: 'ahead' };
    return { phase, state: passed[phase]?.as === 'not-applicable' ? 'skipped' : 'passed' };
  });
}
