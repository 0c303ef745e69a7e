import { justMilliseconds } from '../cache/status-writes.ts';
import { forgetReport, isNewReport, isReportExpired } from '../cache/told.ts';
import { undecided } from '../dialects/status-input.ts';
import type { Unavailable } from '../kubernetes/errors.ts';
import { isAboutRemarks, type Report, reportKey, withRemarks } from '../machine/report.ts';
import type { Decision, WaitsFor } from '../phase/decision.ts';
import { pausedOrInvalid } from '../phase/guard.ts';
import { internalError, retrySoon } from '../phase/retry.ts';
import type { StepResult } from '../runtime/environment.ts';
import { saveStatusCalmly } from '../write/status.ts';
import { reportOfAnotherNode } from './another-node.ts';
import { saveReached } from './begin.ts';
import { gone } from './gone.ts';
import { heldUpEvents } from './held-up.ts';
import { recordDecision } from './journal.ts';
import { record } from './record.ts';
import { requeue } from './requeue.ts';
import { readForStatus } from './status-reads.ts';
import { commandOf, type Step, statusInput } from './step.ts';
import { startLimit } from './time-limit.ts';
import { waitFacts } from './wait-facts.ts';

/**
 * A wait is a saved time: the status says what is waited for, the store when to look again, and only then may a
 * warm instance watch for what would end it sooner.
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

/** Where the deletion stands could not even be asked: the Machine says why, and its checkpoint stays as it is. */
export function waitUnread(step: Step, failure: Unavailable): Promise<StepResult | 'conflict'> {
  const { message, statusText: why, retryAfterSeconds = 0 } = failure;
  const isPeers = why.startsWith(undecided);
  const said = isPeers ? internalError(why) : internalError(why, why);
  const report = message === why ? said : { ...said, detail: message };
  const { machine, dialect } = step.arrived.subject;
  step.env.log.warn('Machine could not be looked at', { why: message });
  const events = dialect.events(machine, { what: 'blind', why });
  const soon = retrySoon(report);
  const requeueAfterSeconds = Math.max(soon.requeueAfterSeconds, retryAfterSeconds);
  return saveWait(step, { ...soon, requeueAfterSeconds, events }, report);
}

/**
 * Says why the Machine waits, and schedules the next step, whatever could be saved before.
 * @param isAttempt whether the phase was tried: its time limit starts, if it has not
 */
export async function saveWait(
  step: Step,
  decision: Decision & { kind: 'wait' },
  report: Report | undefined,
  isAttempt = false,
): Promise<StepResult | 'conflict'> {
  const { env, arrived } = step;
  const tellAnotherNode = reportOfAnotherNode(step);
  const saved = await saveStatusCalmly(env, arrived.subject, statusInput(step, report));
  if (saved.kind === 'conflict') return 'conflict';
  if (saved.kind === 'gone') return gone(step);
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  tellAnotherNode?.();
  countWait(step, decision.report);
  if (isNew(step, decision.report) || saved.changed) reportWait(step, decision);
  else remind(step, decision);
  if (isAttempt && !(await startLimit(step))) return 'conflict';
  const isUnsaid = saved.isOwed === true && report?.error === undefined;
  const most = isUnsaid ? justMilliseconds : Infinity;
  const milliseconds = Math.min(decision.requeueAfterSeconds * 1_000, most);
  const age = env.clock.stopwatch();
  const at = env.clock.now() + milliseconds;
  const look = { machine: arrived.subject.machine.ref, at, failures: 0, isOfDeletion: true };
  const [areWritten, isWatchedElsewhere] = await Promise.all([record(step), requeue(step, look)]);
  const { machine, dialect } = arrived.subject;
  if (!areWritten) forgetReport(env.cache, machine.ref.uid);
  // The clock may have been set back meanwhile: the wake-up comes as long after the decision all the same.
  const wakeAt = env.clock.now() + Math.max(0, milliseconds - age());
  const until: WaitsFor[] = [...decision.until, { kind: 'time', at: wakeAt }];
  if (isWatchedElsewhere) env.wakeUps.drop(machine.ref.uid);
  else env.wakeUps.keep(commandOf(step), until, dialect.workload(machine));
  return { facts: step.journal.facts };
}

function reportWait(step: Step, { report, events = [] }: Decision & { kind: 'wait' }): void {
  const { arrived, journal } = step;
  const message = withRemarks(report);
  recordDecision(journal, arrived.subject.checkpoint, { what: 'waited', ...report, message });
  journal.facts.push(...waitFacts(step, report));
  journal.events.push(...events, ...heldUpEvents(arrived.subject, report));
}

/** What holds a Machine up is to be found in its Events for as long as it does, and they are forgotten after an hour. */
function remind({ env, arrived, journal }: Step, { events = [] }: Decision & { kind: 'wait' }): void {
  if (isReportExpired(env.cache, arrived.subject.machine.ref.uid)) journal.events.push(...events);
}

function countWait({ env, arrived }: Step, { reason, error, isHeldUp = false }: Report): void {
  const { dialect, checkpoint } = arrived.subject;
  const unfailed = isHeldUp ? 'held-up' : 'waiting';
  const outcome = error === undefined ? unfailed : 'failed';
  env.metrics.count('waits', { machine_api: dialect.name, phase: checkpoint.phase, reason, outcome });
}

/**
 * Where no status says where a deletion stands, what was told last is what is known of it. So it is with errors, for which
 * a status may have no words of its own: it stays the same when another error comes, or when somebody has written it and
 * got no further.
 */
function isNew({ env, arrived }: Step, report: Report): boolean {
  const { machine, dialect, checkpoint } = arrived.subject;
  const isShown = dialect.showsProgress && report.error === undefined;
  if (isShown && !isAboutRemarks(report, env.cache.notes(machine.ref.uid).told?.key)) return false;
  return isNewReport(env.cache, machine.ref.uid, reportKey(checkpoint.seq, report));
}
