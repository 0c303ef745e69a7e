import { isNewReport, isReportExpired, reported } from '../cache/ledger.ts';
import { hookOwners } from '../dialects/hook-owners.ts';
import type { Fact, HookOwners } from '../machine/messages.ts';
import { hookPointOf } from '../machine/phase.ts';
import {
  isAboutRemarks,
  type MachineEvent,
  type Report,
  reportKey,
  warning,
  withRemarks,
} from '../machine/report.ts';
import type { Decision } from '../phase/decision.ts';
import type { Subject } from '../phase/definition.ts';
import { recordDecision, type Step } from './step.ts';

/** Reports a new wait: in the history, as facts, and in Events. */
export function reportWait(step: Step, { report, events = [] }: Decision & { kind: 'wait' }): void {
  const { arrived, journal } = step;
  const message = withRemarks(report);
  recordDecision(journal, arrived.subject.checkpoint, { what: 'waited', ...report, message });
  journal.facts.push(...waitFacts(step, report));
  journal.events.push(...events, ...heldUpEvents(arrived.subject, report));
}

/**
 * Users must find what holds a Machine up in its Events for as long as it does. The API server forgets Events after
 * an hour.
 */
export function remind({ env, arrived, journal }: Step, { events = [] }: Decision & { kind: 'wait' }): void {
  if (isReportExpired(env.cache, arrived.subject.machine.ref.uid)) journal.events.push(...events);
}

/** Counts the wait, by its outcome. */
export function countWait({ env, arrived }: Step, { reason, error, isHeldUp = false }: Report): void {
  const { dialect, checkpoint } = arrived.subject;
  const unfailed = isHeldUp ? 'held-up' : 'waiting';
  const outcome = error === undefined ? unfailed : 'failed';
  env.metrics.count('waits', { machine_api: dialect.name, phase: checkpoint.phase, reason, outcome });
}

/**
 * If no status shows where a deletion stands, only the last report does. The same holds for errors, for which a
 * status may have no words of its own. Such a status stays the same with another error, or after an instance wrote it
 * and got no further.
 */
export function isNew({ env, arrived }: Step, report: Report): boolean {
  const { machine, dialect, checkpoint } = arrived.subject;
  const isShown = dialect.showsProgress && report.error === undefined;
  if (isShown && !isAboutRemarks(report, reported(env.cache, machine.ref.uid).wait?.key)) return false;
  return isNewReport(env.cache, machine.ref.uid, reportKey(checkpoint.seq, report));
}

/** The facts of a wait: a hook, a failure, or what blocks the deletion. */
function waitFacts(step: Step, report: Report): Fact[] {
  const { machine, checkpoint, dialect } = step.arrived.subject;
  const about = { machine: machine.ref, phase: checkpoint.phase, seq: checkpoint.seq };
  const { reason, error } = report;
  const message = withRemarks(report);
  const point = hookPointOf(reason);
  if (point !== undefined) {
    const hooks = dialect.hooks(machine, point);
    const owners = { ...hookOwners(hooks, machine, dialect, point), ...contactsOf(report) };
    const asked = (report.hooks ?? []).map(({ name }) => name);
    return [{ ...about, kind: 'hook-waiting', point, hooks: [...hooks, ...asked], owners }];
  }
  if (error !== undefined) return [{ ...about, kind: 'failed', reason, message, error }];
  return [{ ...about, kind: 'blocked', reason, message }];
}

/** Who can help with a DeletionHook, where it says so. */
const contactsOf = ({ hooks = [] }: Report): HookOwners =>
  Object.fromEntries(hooks.flatMap(({ name, contact }) => (contact === undefined ? [] : [[name, contact]])));

/**
 * Beside the API's own controller, a MachineSet only shows that a Machine with our hook waits. So the MachineSet,
 * too, gets an Event of what holds the drain up.
 */
export function heldUpEvents({ machine, dialect }: Subject, report: Report): MachineEvent[] {
  if (dialect.beside === undefined || (report.isHeldUp !== true && report.error === undefined)) return [];
  const owner = machine.raw.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'MachineSet') return [];
  const { apiVersion, kind, name, uid } = owner;
  const message = `Machine ${machine.ref.name}: ${report.error ?? withRemarks(report)}`;
  return [{ ...warning('DrainHeldUp', message), about: { apiVersion, kind, name, uid } }];
}
