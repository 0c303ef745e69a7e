import { type DrainConditions, messagePrefix } from '../drain/node.ts';
import type { Machine } from '../machine/machine.ts';
import type { Decision } from './decision.ts';
import type { Subject } from './definition.ts';

type Seen = Pick<Subject, 'machine' | 'checkpoint'>;

/** What a decision means for the Node's conditions; undefined if it changes none. */
export function drainConditions(
  { machine, checkpoint }: Seen,
  decision: Decision,
): DrainConditions | undefined {
  if (checkpoint.phase === 'drain') return ofDrain(machine, decision);
  const isUndrained = checkpoint.passed.drain?.as !== 'done';
  if (decision.kind !== 'hand-over' || !isUndrained) return undefined;
  return stopped(machine, 'PhaseoutHandedOver', decision.report.message);
}

function ofDrain(machine: Machine, decision: Decision): DrainConditions | undefined {
  if (decision.kind === 'act') return inProgress(machine);
  if (decision.kind === 'wait') return ofWait(machine, decision);
  if (decision.kind === 'ignore') return letGo(machine, decision.why);
  if (decision.kind !== 'advance') return undefined;
  const { passing, message } = decision;
  if (passing === 'done')
    return { stage: 'drained', reason: 'PhaseoutDrained', message: withPrefix(machine, message) };
  return passing === 'timed-out'
    ? stopped(machine, 'PhaseoutDrainTimedOut', message)
    : letGo(machine, message);
}

/** A failed attempt changes no condition: the drain goes on where it had begun. */
function ofWait(
  machine: Machine,
  { report, drain }: Decision & { kind: 'wait' },
): DrainConditions | undefined {
  if (drain !== undefined) return inProgress(machine);
  if (report.reason === 'Paused') return stopped(machine, 'PhaseoutPaused', report.message);
  if (report.reason === 'WaitingForPreDrainHook') return stopped(machine, 'PhaseoutHeld', report.message);
  return undefined;
}

const inProgress = (machine: Machine): DrainConditions => ({
  stage: 'in-progress',
  reason: 'PhaseoutDraining',
  message: withPrefix(machine, 'its Node is being drained'),
});

const stopped = (machine: Machine, reason: DrainConditions['reason'], why: string): DrainConditions => ({
  stage: 'not-drained',
  reason,
  message: withPrefix(machine, why),
});

/** The Machine is left to others with its drain undone. */
export const letGo = (machine: Machine, why: string): DrainConditions =>
  stopped(machine, 'PhaseoutLetGo', why);

const withPrefix = ({ ref }: Machine, what: string): string => `${messagePrefix(ref)}${what}`;
