import type { Machine } from '../../machine/machine.ts';
import type { Gate, GatedStep } from '../gate.ts';

const excludeDrain = 'machine.openshift.io/exclude-node-draining';

/** Presence counts: a value of `"false"` excludes too. */
export const isDrainExcluded = (machine: Machine): boolean => excludeDrain in machine.annotations;

/** A drain that is not excluded has no time limit. Only a pre-terminate hook waits for volumes here. */
export function gate(step: GatedStep, machine: Machine): Gate {
  if (step === 'volume-detach') {
    return { allowed: false, passing: 'not-applicable', why: 'the API does not wait for volumes' };
  }
  if (!isDrainExcluded(machine)) return { allowed: true };
  return { allowed: false, passing: 'excluded', why: `Machine has the ${excludeDrain} annotation` };
}
