import { limitSecondsOf, type Machine } from '../../machine/machine.ts';
import type { Instant } from '../../time/clock.ts';
import { isTerminating } from '../fields.ts';
import { type Gate, type GatedStep, type GateInput, type Observed, undecidable } from '../gate.ts';
import { exclusionOf } from './annotations.ts';
import { startTimes } from './deletion-times.ts';

/**
 * Whether a step is (still) to be done; the first rule that applies decides. Throws Unavailable while the infrastructure
 * object is unknown. Taking it for absent would skip the drain of a Node that is there.
 */
export function gate(step: GatedStep, machine: Machine, input: GateInput): Gate {
  const exclusion = exclusionOf[step];
  if (exclusion in machine.annotations) return closed('excluded', `Machine has the ${exclusion} annotation`);
  // The owner of such a hook may already count on the Node as it is.
  if (startTimes(machine)['pre-terminate'] !== undefined) {
    return closed('not-applicable', 'pre-terminate hooks have been waited for');
  }
  const gone = infrastructureGone(input.infrastructure);
  if (gone !== undefined) return closed('not-applicable', gone);
  const seconds = limitSecondsOf(step, machine);
  if (!isOver(seconds, input)) return { allowed: true };
  return closed('timed-out', `its timeout of ${seconds}s is over`);
}

/**
 * Whether the time to delete the Node is over. It counts from the first try of the node phase. Neither a long drain nor a
 * pause uses it up. Unset or 0 is no limit; a negative value, which only v1beta1 lets in, is over at once.
 */
export function isNodeDeletionOver(machine: Machine, startedAt: Instant | undefined, now: Instant): boolean {
  const seconds = limitSecondsOf('node', machine);
  if (seconds === 0) return false;
  return seconds < 0 || (startedAt !== undefined && now - startedAt >= seconds * 1000);
}

function infrastructureGone(infrastructure: Observed): string | undefined {
  if (infrastructure.kind === 'unseen') return undefined;
  if (infrastructure.kind === 'absent') return 'the infrastructure object does not exist';
  if (infrastructure.kind === 'present') {
    return isTerminating(infrastructure.object) ? 'the infrastructure object is being deleted' : undefined;
  }
  throw undecidable('the infrastructure object could not be read', infrastructure);
}

/** 0, negative and unset are no limit. */
const isOver = (seconds: number, { startedAt, now }: GateInput): boolean =>
  seconds > 0 && startedAt !== undefined && now - startedAt >= seconds * 1000;

const closed = (passing: 'excluded' | 'timed-out' | 'not-applicable', why: string): Gate => ({
  allowed: false,
  passing,
  why,
});
