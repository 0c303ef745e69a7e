import { phasesOn } from '../dialects/beside/phases.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { isLimited, type Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import { beginningAt } from '../machine/timestamps.ts';
import type { Instant } from '../time/clock.ts';
import type { NextPhase } from './next-phase.ts';

/** Start times that are already on a Machine, from another controller, or from us before a lost checkpoint. */
export type StartTimes = Partial<Record<Phase, string>>;

const timestamp = (now: Instant): string => new Date(now).toISOString();

/** The checkpoint of a Machine that has none, standing at the first phase that applies to it. */
export function firstCheckpoint(
  uid: string,
  leg: NextPhase,
  now: Instant,
  startTimes: StartTimes,
): Checkpoint {
  return {
    v: 1,
    uid,
    seq: 0,
    phase: leg.phase,
    since: startTimes[leg.phase] ?? timestamp(now),
    passed: withSkipped({}, leg, timestamp(now)),
  };
}

export interface Transition {
  as: PhaseOutcome;
  /** When the passed phase started (RFC 3339), if that is not when it was handed on. */
  since?: string;
  leg: NextPhase;
  now: Instant;
  startTimes: StartTimes;
  /** UID of the Machine's Node to remember from now on. */
  node: string | undefined;
}

/**
 * The checkpoint after a phase was passed. A phase that began before keeps its start, and so its timeout. `reached`
 * then has the time at which it was handed on.
 */
export function advanced(
  checkpoint: Checkpoint,
  { as, since = checkpoint.since, leg, now, startTimes, node }: Transition,
): Checkpoint {
  const passed = { ...checkpoint.passed, [checkpoint.phase]: { as, since } };
  const before = checkpoint.passed[leg.phase];
  const began = wasTried(before) ? before.since : startTimes[leg.phase];
  const start = began === undefined ? { since: timestamp(now) } : { since: began, reached: timestamp(now) };
  return {
    v: 1,
    uid: checkpoint.uid,
    seq: checkpoint.seq + 1,
    phase: leg.phase,
    ...start,
    passed: withSkipped(passed, leg, timestamp(now)),
    ...(node === undefined ? {} : { node }),
  };
}

/**
 * One or more steps back. A phase that was tried keeps its first start, and so its time limit. A skipped phase begins
 * now.
 */
export function retreated(checkpoint: Checkpoint, to: Phase, now: Instant): Checkpoint {
  const { phase, since, reached: _, ...kept } = checkpoint;
  const left = isLimited(phase) ? { [phase]: { as: 'done' as const, since } } : {};
  const { [to]: before, ...passed }: Checkpoint['passed'] = { ...checkpoint.passed, ...left };
  const start = { since: startAgain(before, now), ...(wasTried(before) && { reached: timestamp(now) }) };
  return { ...kept, seq: checkpoint.seq + 1, phase: to, ...start, passed };
}

/** Our hook before the drain is off: what follows is held by the one before the end of the server. */
export function atPreTerminate(checkpoint: Checkpoint, now: Instant): Checkpoint {
  const { reached: _, released: __, phase, since, passed, ...kept } = checkpoint;
  return {
    ...kept,
    seq: checkpoint.seq + 1,
    phase: 'pre-terminate',
    since: timestamp(now),
    passed: phase === 'hand-over' ? { ...passed, [phase]: { as: 'done', since } } : passed,
  };
}

/** Where a deletion stands with the hooks that are left. Somebody may have taken the one off that held its phase. */
export function heldStand(saved: Checkpoint, machine: Machine, dialect: Dialect, now: Instant): Checkpoint {
  const held = phasesOn(machine, dialect);
  const isOff = held.includes('pre-terminate') && !held.includes(saved.phase);
  return isOff ? atPreTerminate(saved, beginningAt(machine, now)) : saved;
}

type Passed = Checkpoint['passed'][Phase];

/** The start of a phase that begins again. A skipped phase never began, and has all its time. */
export const startAgain = (before: Passed, now: Instant): string =>
  wasTried(before) ? before.since : timestamp(now);

/** Whether the phase was tried when it was passed so. */
const wasTried = (passed: Passed): passed is NonNullable<Passed> =>
  passed?.as === 'done' || passed?.as === 'timed-out';

function withSkipped(passed: Checkpoint['passed'], leg: NextPhase, since: string): Checkpoint['passed'] {
  const all = { ...passed };
  for (const { phase, as } of leg.skipped) if (as !== 'done') all[phase] ??= { as, since };
  return all;
}
