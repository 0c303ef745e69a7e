import { isMoved } from '../../machine/machine.ts';
import { moved } from '../../phase/guard.ts';
import type { PlannedHold } from '../../plan/deletion-plan.ts';
import type { Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';

/** What keeps everything from the Machine, whatever its phase is. */
export function holdCauses({ plan, standing, dialect, machine }: Seen): Cause[] {
  const foreign = finalizersOfOthers(machine.finalizers, dialect.finalizer);
  const isLetGo =
    standing !== undefined && foreign.length > 0 && !machine.finalizers.includes(dialect.finalizer);
  if (isLetGo) return [finalizerCause(foreign)];
  const held = plan.held.map((hold) => holdCause(hold, isMoved(machine)));
  const reason = standing?.waitsFor.reason ?? '';
  if (standing === undefined || plan.held.length > 0 || !shownReasons.includes(reason)) return held;
  return [holdCause(standing.waitsFor, isMoved(machine))];
}

const shownReasons = ['Paused', 'FailedValidate', 'RunsPhaseout', 'InternalError', 'Unreadable'];

const finalizersOfOthers = (all: readonly string[], own: string): string[] =>
  all.filter((name) => name !== own);

const finalizerCause = (names: readonly string[]): Cause => ({
  kind: 'finalizers',
  phase: 'finalize',
  what: `the finalizers of others keep it: ${names.join(', ')}`,
  details: [],
  endsByItself: 'unknown',
  why: 'the controllers that set them have to take them off, and nothing says that they still run',
});

/** Its copy in the other management cluster has its server: a deletion that went on here would delete that. */
const moveCause = (what: string): Cause => ({
  kind: 'pause',
  code: 'Moved',
  what: `clusterctl move takes it to another management cluster: ${what}`,
  details: [moved],
  endsByItself: 'unknown',
  why: 'clusterctl move takes its finalizers off when it goes on',
});

type Held = Pick<PlannedHold, 'message'> & { reason: string };

function holdCause({ reason, message }: Held, isForMove: boolean): Cause {
  const what = message;
  switch (reason) {
    case 'Paused':
      if (isForMove) return moveCause(what);
      return {
        kind: 'pause',
        what: `it is paused: ${what}`,
        details: [],
        endsByItself: 'no',
        why: 'nothing is done to it before somebody takes the pause away',
      };
    case 'FailedValidate':
      return {
        kind: 'invalid',
        what,
        details: [],
        endsByItself: 'no',
        why: 'nothing is done to it before somebody corrects it',
      };
    case 'RunsPhaseout':
      return {
        kind: 'carrier',
        what,
        details: [],
        endsByItself: 'unknown',
        why: 'an instance of phaseout on another Machine goes on with it',
      };
    default:
      return {
        kind: 'failure',
        what,
        details: [],
        endsByItself: 'unknown',
        why: 'it is tried again: that ends where what fails is put right',
      };
  }
}
