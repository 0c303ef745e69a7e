import { isAtPreTerminate } from '../dialects/beside/phases.ts';
import type { HookPoint } from '../dialects/dialect.ts';
import { isDeleting, isMoved } from '../machine/machine.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';
import { withEvents } from '../machine/report.ts';
import type { Instant } from '../time/clock.ts';
import type { Decision, WaitsFor } from './decision.ts';
import { phaseStart, type Subject } from './definition.ts';

/** Only an event of the Machine itself ends these waits. This time covers lost events. */
const requeueAfterSeconds = 60;

/**
 * The check before every effect, in every phase. The Machine must be in deletion, ours to finish, and not paused. No
 * hook may hold it at any point that was passed: a hook added late still holds.
 */
export function guard(subject: Subject, now: Instant): Decision | undefined {
  const { machine, dialect } = subject;
  if (!isDeleting(machine)) return { kind: 'ignore', why: 'the Machine is not being deleted' };
  if (!dialect.hold.isOn(machine))
    return { kind: 'ignore', why: `${dialect.hold.name} is not on the Machine` };
  const held = pausedOrInvalid(subject);
  // Our hook has come back on a released Machine. Only that hook is left to us, even while others hold the Machine.
  if (held !== undefined || subject.checkpoint.released !== undefined) return held;
  return heldBy('pre-drain', subject, now) ?? heldBy('pre-terminate', subject, now);
}

/** What stops every effect and the checkpoint: a pause, or a Machine that must be left as it is. */
export const pausedOrInvalid = (subject: Subject): Held | undefined =>
  pause(subject) ?? ownMachine(subject) ?? invalid(subject);

export type Held = Decision & { kind: 'wait' };

function pause({ machine, dialect, surroundings }: Subject): Held | undefined {
  const causes = dialect.pausedBy(machine, surroundings);
  if (causes.length === 0) return undefined;
  const report = {
    reason: 'Paused' as const,
    message: causes.join(', '),
    ...(isMoved(machine) && { remarks: [moved] }),
  };
  return { kind: 'wait', until: [{ kind: 'unpaused' }], report, requeueAfterSeconds };
}

/** For users who would remove the pause. */
export const moved =
  'clusterctl move takes it to another management cluster, where its server lives on: the pause has to stay';

/** Deleting its server would end the deletion midway. An instance on another Node may go on. */
function ownMachine({ machine, dialect, surroundings }: Subject): Held | undefined {
  if (!dialect.sparesOwnMachine || !surroundings.runsUs) return undefined;
  const message = `Machine ${machine.ref.name} is the one that phaseout runs on (Node ${machine.nodeName})`;
  const report = { reason: 'RunsPhaseout', message } as const;
  const events = dialect.events(machine, { what: 'refused', why: message });
  return { kind: 'wait', until: [], report, requeueAfterSeconds, ...withEvents(events) };
}

function invalid({ machine, dialect }: Subject): Held | undefined {
  const message = dialect.invalidity(machine);
  if (message === undefined) return undefined;
  const report = { reason: 'FailedValidate', message } as const;
  const events = dialect.events(machine, { what: 'invalid', why: message });
  return { kind: 'wait', until: [], report, requeueAfterSeconds, ...withEvents(events) };
}

const waitingFor: Record<HookPoint, Reason> = {
  'pre-drain': 'WaitingForPreDrainHook',
  'pre-terminate': 'WaitingForPreTerminateHook',
};

/** One hook of others and ours may hold a Machine this long before a remark is shown. */
const eachOtherMilliseconds = 15 * 60_000;

/** The wait for the hooks at a point, once the deletion has come to it. */
export function heldBy(point: HookPoint, subject: Subject, now: Instant): Held | undefined {
  if (!isReached(point, subject)) return undefined;
  const { machine, dialect } = subject;
  if (dialect.hooks(machine, point).length === 0) return undefined;
  const remarks = waitsForEachOther(point, subject, now);
  const report = {
    reason: waitingFor[point],
    message: dialect.hookMessage(machine, point),
    ...(remarks.length > 0 && { remarks, isHeldUp: true }),
  };
  const events = point === 'pre-drain' ? dialect.events(machine, { what: 'drain-held' }) : [];
  const until: WaitsFor[] = [{ kind: 'hook-removed' }];
  return { kind: 'wait', until, report, requeueAfterSeconds, ...withEvents(events) };
}

/** Two owners that both want to be the last wait for ever. */
function waitsForEachOther(point: HookPoint, subject: Subject, now: Instant): string[] {
  const { machine, dialect, checkpoint } = subject;
  const [hook, another] = dialect.hooks(machine, point);
  if (dialect.beside === undefined || hook === undefined || another !== undefined) return [];
  if (checkpoint.phase !== point || now - phaseStart(subject) < eachOtherMilliseconds) return [];
  return [
    `${hook} and the hook of phaseout may wait for each other: if its owner waits for phaseout, name it in PHASEOUT_HOOKS_AFTER`,
  ];
}

/**
 * Pre-drain hooks count only if the Node may be touched at all; pre-terminate hooks always. Beside the API's own controller,
 * that one has to have come to them.
 */
function isReached(point: HookPoint, { machine, dialect, checkpoint, nodeDeletion }: Subject): boolean {
  if (point === 'pre-drain' && !nodeDeletion.allowed) return false;
  const isAhead = point === 'pre-terminate' && dialect.beside !== undefined && isDeleting(machine);
  if (isAhead && !isAtPreTerminate(machine, dialect)) return false;
  return !isBefore(checkpoint.phase, point satisfies Phase);
}

/** Names the bypassed hooks: their owners expect a wait. Goes after the reason. */
export const bypassedText = (point: HookPoint, hooks: readonly string[]): string =>
  hooks.length === 0 ? '' : `; its ${point} hooks are bypassed: ${hooks.join(', ')}`;
