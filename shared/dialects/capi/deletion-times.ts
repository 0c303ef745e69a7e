import { passing } from '../../machine/checkpoint.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Phase } from '../../machine/phase.ts';
import type { Reason } from '../../machine/reason.ts';
import { attemptStart, beginningAt, isOfFormer, isToCome, presentAt } from '../../machine/timestamps.ts';
import { type Instant, rfc3339Seconds } from '../../time/clock.ts';
import { recordAt } from '../fields.ts';
import type { StatusInput } from '../status-input.ts';
import { isDrainExcluded, isVolumeWaitExcluded } from './annotations.ts';

const fieldOf = {
  'pre-drain': 'waitForPreDrainHookStartTime',
  drain: 'nodeDrainStartTime',
  'volume-detach': 'waitForNodeVolumeDetachStartTime',
  'pre-terminate': 'waitForPreTerminateHookStartTime',
} as const;

type TimedPhase = keyof typeof fieldOf;

const timedPhases: readonly TimedPhase[] = ['pre-drain', 'drain', 'volume-detach', 'pre-terminate'];

/** When phases began, as far as the Machine's status says (RFC 3339) of its own deletion. */
export function startTimes(machine: Machine): Partial<Record<Phase, string>> {
  const deletion = timesShown(machine);
  const times: Partial<Record<Phase, string>> = {};
  for (const phase of timedPhases) {
    const time = Date.parse(String(deletion[fieldOf[phase]]));
    // Others may have written it with an offset; checkpoints have one form of times.
    if (!Number.isNaN(time)) times[phase] = rfc3339Seconds(time);
  }
  return times;
}

/**
 * `status.deletion`: each time is written once, when its step really starts, and never cleared. The time of a wrong clock in
 * the future follows the checkpoint, which resets it. A former Machine's time goes.
 */
export function deletionTimes(input: StatusInput): Record<string, unknown> {
  const deletion = timesShown(input.machine);
  const times = timesOfSteps(input);
  const present = presentAt(input.machine, input.now);
  for (const phase of timedPhases) {
    const field = fieldOf[phase];
    const isWrong = isToCome(String(deletion[field]), present);
    const time = times[phase] ?? (isWrong ? present : undefined);
    if (isWrong) delete deletion[field];
    if (time !== undefined) deletion[field] ??= rfc3339Seconds(time);
  }
  return deletion;
}

function timesShown(machine: Machine): Record<string, unknown> {
  const shown = Object.entries(recordAt(machine.raw, 'status', 'deletion'));
  return Object.fromEntries(shown.filter(([, time]) => !isOfFormer(machine, String(time))));
}

function timesOfSteps(input: StatusInput): Partial<Record<TimedPhase, Instant | undefined>> {
  const { report, machine } = input;
  // By a clock that is behind it would be the start of a former Machine's.
  const now = beginningAt(machine, input.now);
  return {
    'pre-drain':
      report?.reason === 'WaitingForPreDrainHook' ? (phaseStart(input, 'pre-drain') ?? now) : undefined,
    drain: stepStart(input, 'drain', 'DrainingNode', isDrainExcluded),
    'volume-detach': stepStart(input, 'volume-detach', 'WaitingForVolumeDetach', isVolumeWaitExcluded),
    'pre-terminate':
      report?.reason === 'WaitingForPreTerminateHook'
        ? (phaseStart(input, 'pre-terminate') ?? now)
        : undefined,
  };
}

/** Start of the phase the Machine is in; a hook that came later is waited for from now on. */
const phaseStart = ({ checkpoint }: StatusInput, phase: Phase): Instant | undefined =>
  checkpoint.phase === phase ? Date.parse(checkpoint.since) : undefined;

/** Start of the first attempt of the phase that the Machine is in. */
const stepAttempt = ({ checkpoint, machine, now }: StatusInput, phase: Phase): Instant | undefined =>
  checkpoint.phase === phase ? attemptStart(checkpoint, beginningAt(machine, now)) : undefined;

/** A step that was passed over never began, nor one that was only handed on. */
function stepStart(
  input: StatusInput,
  phase: Phase,
  reason: Reason,
  isExcluded: (machine: Machine) => boolean,
): Instant | undefined {
  const { machine, checkpoint } = input;
  const passed = passing(checkpoint, phase);
  if (passed === 'done' || passed === 'timed-out') return Date.parse(checkpoint.passed[phase]?.since ?? '');
  return isExcluded(machine) || !hasBegun(input, reason) ? undefined : stepAttempt(input, phase);
}

/**
 * Whether the report is about an attempt of the step. A late hook, or an error before the step, is no attempt. Nor is a step
 * that could not decide whether the phase applies.
 */
export const hasBegun = ({ report }: StatusInput, reason: Reason): boolean =>
  report === undefined ||
  report.reason === 'Deleting' ||
  (report.reason === reason && report.isUndecided !== true);
