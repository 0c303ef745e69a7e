import type { Decision } from '../decision.ts';
import type { HookPoint } from '../dialects/dialect.ts';
import type { Subject } from '../phase-definition.ts';
import { isDeleting } from './machine.ts';
import { isBefore, type Phase } from './phase.ts';
import type { Reason } from './reason.ts';

/** Nothing but an event of the Machine itself ends these waits; the time is for events that were lost. */
const lookAgainSeconds = 60;

/**
 * What comes before every effect, in every phase: a Machine that is really being deleted and ours to finish, not
 * paused, and no hook at any point that was passed. A hook added late still holds.
 */
export function guard(subject: Subject): Decision | undefined {
  const { machine, dialect } = subject;
  if (!isDeleting(machine)) return { kind: 'ignore', why: 'the Machine is not being deleted' };
  if (!machine.finalizers.includes(dialect.finalizer)) {
    return { kind: 'ignore', why: `the finalizer ${dialect.finalizer} is not on the Machine` };
  }
  return pause(subject) ?? heldBy('pre-drain', subject) ?? heldBy('pre-terminate', subject);
}

function pause({ machine, dialect, surroundings }: Subject): Decision | undefined {
  const causes = dialect.pausedBy(machine, surroundings);
  if (causes.length === 0) return undefined;
  const report = { reason: 'Paused' as const, message: causes.join(', ') };
  return { kind: 'wait', until: [{ kind: 'unpaused' }], report, lookAgainSeconds };
}

const waitingFor: Record<HookPoint, Reason> = {
  'pre-drain': 'WaitingForPreDrainHook',
  'pre-terminate': 'WaitingForPreTerminateHook',
};

function heldBy(point: HookPoint, subject: Subject): Decision | undefined {
  if (!isReached(point, subject)) return undefined;
  const hooks = subject.dialect.hooks(subject.machine, point);
  if (hooks.length === 0) return undefined;
  const report = { reason: waitingFor[point], message: subject.dialect.hookMessage(point, hooks) };
  return { kind: 'wait', until: [{ kind: 'hook-removed' }], report, lookAgainSeconds };
}

/** Pre-drain hooks count only where the Node may be touched at all; pre-terminate hooks always. */
function isReached(point: HookPoint, { checkpoint, nodeDeletion }: Subject): boolean {
  if (point === 'pre-drain' && !nodeDeletion.allowed) return false;
  return !isBefore(checkpoint.phase, point satisfies Phase);
}
