import { Unavailable, Undetermined } from '../kubernetes/errors.ts';
import { usableCheckpoint } from '../machine/checkpoint.ts';
import type { Report } from '../machine/report.ts';
import type { Conclusion, Decision, Effect } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import { internalError, undecided } from '../phase/time-limit.ts';
import { isReadTooOld, machineResource, mustRestart } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { saveStatus } from '../write/status.ts';
import { saveReached } from './checkpoint.ts';
import { perform } from './effects.ts';
import { saveAsked } from './hooks.ts';
import type { Arrived } from './load.ts';
import { logActing } from './log.ts';
import { writePlaces } from './places.ts';
import { type EffectContext, recordDecision, type Step, statusInput } from './step.ts';
import { eventsOfActions } from './unblock.ts';

/** Whether it changes a Node or its Pods, through the API of their cluster. */
const isDoneToNode = (effect: Effect): boolean =>
  effect.kind === 'cordon' ||
  effect.kind === 'evict' ||
  effect.kind === 'unblock' ||
  (effect.kind === 'delete' && effect.side === 'workload');

/** A place may be given back: the next look says what the Machine waits for. */
const isOfPlaces = ({ kind }: Effect): boolean => kind === 'write-places';

/** Finding the way to the Node's cluster may take time. The check for a stale Machine comes after it. */
async function wayFor({ workload }: Step, effects: Effect[]): Promise<EffectContext['workload']> {
  if (!effects.some(isDoneToNode)) return workload;
  const cluster = await workload();
  return async () => cluster;
}

/** Performs the effects. Undefined if all were done, otherwise what follows from the failure. */
export async function act(
  step: Step,
  phase: AnyPhase,
  decision: Decision & { kind: 'act' },
): Promise<Conclusion | 'conflict' | undefined> {
  const { env, arrived, snapshot } = step;
  let workload: EffectContext['workload'];
  try {
    workload = await wayFor(step, decision.effects);
  } catch (error) {
    return unavailable(step, phase, error);
  }
  if (!(await isReadyToAct(step, decision))) return 'conflict';
  for (const effect of decision.effects) {
    if (effect.kind !== 'save-hooks') continue;
    return (await saveAsked(step, effect, decision.report)) ? undefined : 'conflict';
  }
  const places = decision.effects.find((effect) => effect.kind === 'write-places');
  if (places !== undefined) return actOnPlaces(step, phase, places);
  logActing(step, decision);
  recordDecision(step.journal, arrived.subject.checkpoint, { what: 'acted', ...decision.report });
  try {
    const subject = arrived.subject;
    const facts = await perform(decision.effects, { env, subject, snapshot, workload });
    step.journal.facts.push(...facts);
    step.journal.events.push(...(decision.events ?? []), ...eventsOfActions(facts));
    return undefined;
  } catch (error) {
    return unavailable(step, phase, error);
  }
}

/** The next look says what follows: nothing is told of a place that may be given back. */
async function actOnPlaces(
  step: Step,
  phase: AnyPhase,
  effect: Effect & { kind: 'write-places' },
): Promise<Conclusion | 'conflict' | undefined> {
  try {
    return (await writePlaces(step, effect)) ? undefined : 'conflict';
  } catch (error) {
    return unavailable(step, phase, error);
  }
}

/**
 * The config goes under the checkpoint of the infrastructure. That both are gone can be read again at any time. The
 * checkpoint is saved before the Node goes.
 */
function isUnderInfrastructure({ arrived }: Step): boolean {
  const { machine, dialect, checkpoint } = arrived.subject;
  return (
    checkpoint.phase === 'bootstrap' && usableCheckpoint(machine, dialect.phases)?.phase === 'infrastructure'
  );
}

/**
 * Saves the checkpoint before the first effect. Restarts if any read is stale. The process may have frozen in a read,
 * in a write, or in the last check of the Machine. That check does not cover its Cluster.
 */
async function isReadyToAct(step: Step, { report, effects }: Decision & { kind: 'act' }): Promise<boolean> {
  const { env, arrived } = step;
  if (mustRestart(step)) return false;
  if (!arrived.isSaved && !isUnderInfrastructure(step) && !(await saveReached(step))) return false;
  // Peers whose status does not follow each step write it before the effects. Others go by the phase that it shows.
  // They must read by then what led to the end of the server, such as a drain.
  const isToShow = !arrived.subject.dialect.showsProgress && !effects.some(isOfPlaces);
  if (isToShow && !(await setConditionFirst(step, report))) return false;
  const isSame = await isStillAsSeen(env, arrived);
  return isSame && !isReadTooOld(arrived.age) && !mustRestart(step);
}

async function setConditionFirst(step: Step, report: Report): Promise<boolean> {
  const { env, arrived } = step;
  const saved = await saveStatus(env, arrived.subject, statusInput(step, report));
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...arrived.subject, machine: saved.machine };
  arrived.age = saved.age ?? arrived.age;
  return true;
}

/** What the phase makes of a failed read or effect. Rethrows a mistake of ours. */
export function unavailable(step: Step, phase: AnyPhase, error: unknown): Conclusion {
  if (!(error instanceof Unavailable)) throw error;
  const { env, arrived } = step;
  const isUndecided = error instanceof Undetermined;
  const failed = inGeneral(
    step,
    phase.onUnavailable(arrived.subject, error.statusText, env.clock.now()),
    error,
  );
  const decision = detailed(isUndecided ? undecided(failed) : failed, error);
  const { retryAfterSeconds } = error;
  if (decision.kind !== 'wait' || retryAfterSeconds === undefined) return decision;
  return leftAlone(decision, retryAfterSeconds, env.clock.now());
}

/** All phases report a failed search for the Node alike: every step needs that first. */
function inGeneral({ arrived }: Step, failed: Conclusion, error: Unavailable): Conclusion {
  const { nodeSearch } = arrived.subject;
  const isUnread = nodeSearch?.kind === 'unread' && [error, error.cause].includes(nodeSearch.why);
  if (failed.kind !== 'wait' || !isUnread) return failed;
  return { ...failed, report: internalError(error.statusText, error.statusText), events: [] };
}

const detailed = (decision: Conclusion, { message: detail, statusText }: Unavailable): Conclusion =>
  decision.kind === 'wait' && detail !== statusText
    ? { ...decision, report: { ...decision.report, detail } }
    : decision;

/** The wait lasts as long as the API asks for, even if a wake-up would come sooner. */
function leftAlone(wait: Conclusion & { kind: 'wait' }, seconds: number, now: Instant): Conclusion {
  const least = now + seconds * 1_000;
  const until = wait.until.map((ending) =>
    ending.kind === 'time' ? { ...ending, at: Math.max(ending.at, least) } : ending,
  );
  return { ...wait, until, requeueAfterSeconds: Math.max(wait.requeueAfterSeconds, seconds) };
}

/** Reads the Machine again when it was seen too long ago to act on; false when it has changed since. */
export async function isStillAsSeen(env: Environment, arrived: Arrived): Promise<boolean> {
  const { machine, dialect } = arrived.subject;
  if (arrived.age() <= 1_000) return true;
  const { namespace, name } = machine.ref;
  const age = env.clock.stopwatch();
  const raw = await env.management.get(machineResource(dialect, machine.ref), { namespace, name });
  const isSame = raw !== undefined && raw.metadata.resourceVersion === machine.resourceVersion;
  if (isSame) arrived.age = age;
  return isSame;
}
