import { forgetReport, justMilliseconds, noteReported, reported } from '../cache/ledger.ts';
import { undecided } from '../dialects/status-input.ts';
import type { Unavailable } from '../kubernetes/errors.ts';
import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Report } from '../machine/report.ts';
import type { Decision, WaitsFor } from '../phase/decision.ts';
import { phaseStart } from '../phase/definition.ts';
import { pausedOrInvalid } from '../phase/guard.ts';
import { internalError, retryAfter, retrySoon } from '../phase/time-limit.ts';
import type { StepResult } from '../runtime/environment.ts';
import type { Requeue } from '../store/port.ts';
import { type StatusSaved, saveStatusCalmly } from '../write/status.ts';
import { saveReached, startLimit } from './checkpoint.ts';
import { gone } from './gone.ts';
import { record } from './record.ts';
import { countWait, isNew, remind, reportWait } from './report-wait.ts';
import { millisecondsToShow } from './show-later.ts';
import { readForStatus, reportOfAnotherNode } from './status.ts';
import { commandOf, type Step, statusInput } from './step.ts';

/**
 * A wait is a saved time. The status shows its reason, and the store has the time of the next look. Only then may a
 * warm instance watch for what would end the wait sooner.
 */
export async function wait(
  step: Step,
  decision: Decision & { kind: 'wait' },
): Promise<StepResult | 'conflict'> {
  // A Machine that must be left as it is gets not even a checkpoint.
  if (pausedOrInvalid(step.arrived.subject) !== undefined) return saveWait(step, decision, decision.report);
  if (!step.arrived.isSaved && !(await saveReached(step))) return 'conflict';
  await readForStatus(step, decision.report);
  return saveWait(step, decision, decision.report, !isUndetermined(decision));
}

/** A step that cannot tell whether the phase applies does not start its time limit. */
const isUndetermined = ({ report }: Decision & { kind: 'wait' }): boolean => report.isUndecided === true;

/** A read failed that every step needs first. The Machine shows why, and its checkpoint stays as it is. */
export function waitUnread(step: Step, failure: Unavailable): Promise<StepResult | 'conflict'> {
  const { message, statusText: why, retryAfterSeconds = 0 } = failure;
  const isPeers = why.startsWith(undecided);
  const plain = isPeers ? internalError(why) : internalError(why, why);
  const report = message === why ? plain : { ...plain, detail: message };
  const { machine, dialect } = step.arrived.subject;
  step.env.log.warn('Machine could not be looked at', { why: message });
  const events = dialect.events(machine, { what: 'blind', why });
  const soon = retrySoon(report);
  const requeueAfterSeconds = Math.max(soon.requeueAfterSeconds, retryAfterSeconds);
  return saveWait(step, { ...soon, requeueAfterSeconds, events }, report);
}

/**
 * Sets the status of the wait, and schedules the next step.
 * @param isAttempt whether the phase was tried: its time limit starts, if it has not
 */
async function saveWait(
  step: Step,
  decision: Decision & { kind: 'wait' },
  report: Report | undefined,
  isAttempt = false,
): Promise<StepResult | 'conflict'> {
  const { env, arrived } = step;
  const reportAnotherNode = reportOfAnotherNode(step);
  const { saved, againWithin } = await show(step, report);
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  reportAnotherNode?.();
  countWait(step, decision.report);
  if (isNew(step, decision.report) || saved.changed) reportWait(step, decision);
  else remind(step, decision);
  if (isAttempt && !(await startLimit(step))) return 'conflict';
  const milliseconds = Math.min(decision.requeueAfterSeconds * 1_000, againWithin);
  const age = env.clock.stopwatch();
  const at = env.clock.now() + milliseconds;
  const look = { machine: arrived.subject.machine.ref, at, failures: 0, isOfDeletion: true };
  const [areWritten, isWatchedElsewhere] = await Promise.all([record(step), requeue(step, look)]);
  const { machine, dialect } = arrived.subject;
  if (!areWritten) forgetReport(env.cache, machine.ref.uid);
  // Somebody may have set the clock back meanwhile. The wake-up comes as long after the decision all the same.
  const wakeAt = env.clock.now() + Math.max(0, milliseconds - age());
  const until: WaitsFor[] = [...decision.until, { kind: 'time', at: wakeAt }];
  if (isWatchedElsewhere) env.wakeUps.drop(machine.ref.uid);
  else env.wakeUps.keep(commandOf(step), until, dialect.workload(machine));
  return { facts: step.journal.facts };
}

/** Sets the status, now or later. `againWithin`: milliseconds until a look that sets it, if it is not set now. */
async function show(
  step: Step,
  report: Report | undefined,
): Promise<{ saved: StatusSaved; againWithin: number }> {
  const { env, arrived } = step;
  const later = millisecondsToShow(env, arrived.subject, report);
  if (later > 0)
    return { saved: { kind: 'saved', machine: arrived.subject.machine, changed: false }, againWithin: later };
  const saved = await saveStatusCalmly(env, arrived.subject, statusInput(step, report));
  const isOwed = saved.kind === 'saved' && saved.isOwed === true && report?.error === undefined;
  return { saved, againWithin: isOwed ? justMilliseconds : Infinity };
}

/**
 * Sets when a waiting Machine is due again. Returns whether another instance already watches for the end of its wait.
 * In that case our earlier requeue in this wait has come, and another instance has set a sooner look. This step has
 * also found nothing new. Otherwise all instances that ever ran a step would go on, each at times of its own. If the
 * other instance is gone, its requeue is still due, and the instance that takes it watches. This instance watches,
 * too, if the other one lost its watch: what it watched for came during this step.
 */
export async function requeue(step: Step, look: Requeue): Promise<boolean> {
  const { env, arrived, journal } = step;
  const { cache, clock } = env;
  const { uid } = look.machine;
  const { seq } = arrived.subject.checkpoint;
  const ours = cache.notes(uid).requeue;
  const { isSet, isAlone } = await scheduled(step, look);
  if (isSet || isAlone || ours?.seq !== seq) {
    cache.note(uid, { requeue: { seq, at: look.at } });
    return false;
  }
  return ours.at <= clock.now() && journal.facts.length === 0;
}

async function scheduled(step: Step, look: Requeue): Promise<{ isSet: boolean; isAlone: boolean }> {
  const { store, stepClaim } = step.env;
  if (stepClaim !== undefined) return stepClaim.requeue(look, commandOf(step));
  return { isSet: await store.schedule(look), isAlone: false };
}

const retry = { min: 5, max: 60 };

/** Within this time a refusal is not reported again. */
const refusedMilliseconds = 4_000;

/**
 * The API server refuses the checkpoint, or the removal of the finalizer. Nothing was done or reported on the
 * strength of it. The Machine shows why, in the server's words. That status is news to the other instances, and its
 * words may vary each time. So a refusal reported a moment ago is left at that, and at the look that is due.
 */
export async function waitRefused(step: Step, why: string): Promise<StepResult | 'conflict'> {
  const { env, arrived } = step;
  const { machine, dialect } = arrived.subject;
  // What could not be saved starts no time limit in the status.
  if (!arrived.isSaved) {
    const checkpoint = usableCheckpoint(machine, dialect.phases) ?? step.found.checkpoint;
    arrived.subject = { ...arrived.subject, checkpoint };
  }
  const { uid } = machine.ref;
  const { refused } = reported(env.cache, uid);
  if (refused !== undefined && refused() < refusedMilliseconds) {
    await record(step);
    return { facts: step.journal.facts };
  }
  const report = internalError(why, why);
  env.log.warn('Machine could not be written', { why });
  const events = dialect.events(machine, { what: 'unwritten', why });
  // What was scheduled before would come sooner.
  env.stepClaim?.forgetRequeue();
  const decision = { ...retrySoon(report), requeueAfterSeconds: retrySeconds(step), events };
  const result = await saveWait(step, decision, report);
  if (result !== 'conflict') noteReported(env.cache, uid, { refused: env.clock.stopwatch() });
  return result;
}

/** More and more slowly. A person has to change a webhook, a permission or the Machine, and only the last is an event. */
function retrySeconds({ env, arrived: { subject, isSaved } }: Step): number {
  const { deletionTimestamp = 0 } = subject.machine;
  const lasted = (env.clock.now() - (isSaved ? phaseStart(subject) : deletionTimestamp)) / 1_000;
  return retryAfter(lasted, retry);
}
