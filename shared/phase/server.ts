import type { ActuatorRefusal, DeleteAnswer, Existence } from '../actuator/port.ts';
import { withEvents } from '../machine/report.ts';
import type { Conclusion, Decision } from './decision.ts';
import { phaseStart, type Subject } from './definition.ts';
import { retryAfter } from './time-limit.ts';

/** What the provider answered about the Machine's server in this invocation. */
export interface ServerSeen {
  kind: 'server';
  /** The answer to the delete; undefined before it was asked. */
  asked: DeleteAnswer | undefined;
  /** Whether the server is still there after that; undefined if it was not asked. */
  existence: Existence | undefined;
}

const reason = 'WaitingForInfrastructureDeletion';
const waiting = 'Waiting for the instance to be deleted';
/** No event shows that a server has gone. Ask the provider often at first, then every half minute, as peers do. */
const whileItStops = { min: 2, max: 30 };
const afterFailure = { min: 5, max: 60 };
/** Cluster API, too, calls a deletion late after this time. */
const lateMilliseconds = 15 * 60_000;

/**
 * Asks the provider to remove the server, again on each look, until it is gone. It is gone when the provider says so,
 * never because it could not be asked. Rules are those of OpenShift's and the original Machine controller.
 */
export function decideServer(subject: Subject, { asked, existence }: ServerSeen, now: number): Decision {
  if (asked === undefined) {
    return { kind: 'act', effects: [{ kind: 'terminate' }], report: { reason, message: waiting } };
  }
  const { termination } = subject.dialect;
  if (asked.kind !== 'accepted' && !isForgiven(subject, asked)) return unfinished(subject, asked, now);
  if (termination.by === 'actuator' && termination.goneWhen === 'accepted') return gone;
  if (existence === undefined) return stillThere(subject, now, {});
  if (existence.kind === 'absent') return gone;
  if (existence.kind !== 'exists') return unfinished(subject, existence, now);
  const why = asked.kind === 'failed' ? failureText(asked) : undefined;
  return stillThere(subject, now, { why, seconds: existence.retryAfterSeconds });
}

/** Whether the refusal holds nothing up. The step still asks the provider whether there is a server at all. */
export const isForgiven = (
  { dialect: { termination }, machine }: Subject,
  refusal: ActuatorRefusal,
): boolean => termination.by === 'actuator' && termination.forgives(machine, refusal);

const gone: Conclusion = { kind: 'advance', passing: 'done', message: 'the instance has been deleted' };

function unfinished(subject: Subject, refusal: ActuatorRefusal, now: number): Conclusion {
  if (refusal.kind === 'retry')
    return stillThere(subject, now, { why: refusal.message, seconds: refusal.afterSeconds });
  return serverUnavailable(subject, failureText(refusal), now);
}

/** Nothing has failed. A wait that has become long gets an Event, for no status shows it. */
function stillThere(
  subject: Subject,
  now: number,
  { why, seconds = soonAfter(subject, now) }: { why?: string | undefined; seconds?: number | undefined },
): Conclusion {
  const isLate = now - phaseStart(subject) > lateMilliseconds;
  const since = isLate ? `${waiting} since more than 15m` : waiting;
  const message = why === undefined ? since : `${since}: ${why}`;
  const { machine, dialect } = subject;
  const events = isLate ? dialect.events(machine, { what: 'server-stays', why: message }) : [];
  return { ...wait(message, seconds), ...withEvents(events) };
}

const failureText = ({ reason: why, message }: ActuatorRefusal & { kind: 'failed' }): string =>
  why === undefined ? message : `${why}: ${message}`;

/** A provider that refuses, or cannot be asked, leaves the server as it may be. The next tries come ever more slowly. */
export function serverUnavailable(subject: Subject, why: string, now: number): Conclusion & { kind: 'wait' } {
  const seconds = retryAfter(secondsIn(subject, now), afterFailure);
  const report = {
    reason: 'InternalError',
    message: `Failed to delete the instance: ${why}`,
    error: why,
  } as const;
  const events = subject.dialect.events(subject.machine, { what: 'server-failed', why });
  return { ...wait(waiting, seconds), report, ...withEvents(events) };
}

const wait = (message: string, seconds: number): Conclusion & { kind: 'wait' } => ({
  kind: 'wait',
  until: [],
  report: { reason, message },
  requeueAfterSeconds: Math.max(1, Math.ceil(seconds)),
});

const soonAfter = (subject: Subject, now: number): number =>
  retryAfter(secondsIn(subject, now), whileItStops);

const secondsIn = (subject: Subject, now: number): number => (now - phaseStart(subject)) / 1_000;
