import type { Standing } from '../../hooks/times.ts';
import { presentStanding } from '../../hooks/turn.ts';
import type { HookPlace } from '../../machine/hook-call.ts';
import { isDeleting, type Machine, type MachineRef } from '../../machine/machine.ts';
import { type Instant, rfc3339Seconds } from '../../time/clock.ts';

/** A function that a Machine waits for, as the Machine says. Times are RFC 3339. */
export interface FunctionRow extends Pick<Standing, 'attempt' | 'state' | 'message'> {
  machine: MachineRef;
  /** Name of the DeletionHook. */
  hook: string;
  place: HookPlace;
  /** When its turn began; absent where that is still to come. */
  since?: string;
  contact?: string;
  runbook?: string;
  silentSince?: string;
  /** Why, as far as anything tells. */
  because?: string;
  /** When its time limit ended; only where that is over. */
  overSince?: string;
  /** What happens when its time is over. */
  after: 'waits on' | 'holds' | 'goes on';
}

/** The functions whose turn it is, of a Machine that is being deleted. */
export function functionsAsked(machine: Machine, now: Instant): FunctionRow[] {
  if (!isDeleting(machine)) return [];
  return presentStanding(machine, now).map((standing) => rowOf(machine.ref, standing));
}

function rowOf(machine: MachineRef, standing: Standing): FunctionRow {
  const { asked, silentSince, because, overSince, ...said } = standing;
  const { name, place, begin, contact, runbook } = asked;
  return {
    machine,
    hook: name,
    place,
    attempt: said.attempt,
    ...(begin !== undefined && { since: begin }),
    ...(said.state !== undefined && { state: said.state }),
    ...(said.message !== undefined && { message: said.message }),
    ...(silentSince !== undefined && { silentSince: rfc3339Seconds(silentSince) }),
    ...(because !== undefined && { because }),
    ...(overSince !== undefined && { overSince: rfc3339Seconds(overSince) }),
    ...(contact !== undefined && { contact }),
    ...(runbook !== undefined && { runbook }),
    after: afterOf(asked),
  };
}

const afterOf = ({ timeoutSeconds, onTimeout }: Standing['asked']): FunctionRow['after'] => {
  if (timeoutSeconds === undefined) return 'waits on';
  return onTimeout === 'Proceed' ? 'goes on' : 'holds';
};
