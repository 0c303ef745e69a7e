import type { Checkpoint } from '../machine/checkpoint.ts';
import { beginningAt, presentAt, withoutFuture } from '../machine/timestamps.ts';
import { guard, pausedOrInvalid } from '../phase/guard.ts';
import { firstTried, isUntriedForLong } from '../phase/untried.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import { hasTried } from '../read/tries.ts';
import type { Step } from './step.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';

/**
 * Stamps anew what began in the future by a clock that was wrong, or long before anybody tried it, before anything is
 * decided by it; writes only where there is such a start. False when the Machine has changed or gone meanwhile. Throws
 * Unavailable when it could not be written.
 */
export async function stampAnew(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint: before } = subject;
  const checkpoint = withoutFuture(before, presentAt(machine, env.clock.now()));
  // A Machine that must be left as it is gets no checkpoint, and nothing is decided by this one.
  if (checkpoint === before) return isSaved && isLateFor(step) ? beginNow(step) : true;
  if (pausedOrInvalid(subject) !== undefined) return true;
  if (!isSaved) {
    arrived.subject = { ...subject, checkpoint };
    return true;
  }
  if (!(await restamp(step, checkpoint))) return false;
  env.log.warn('A start lay in the future', { since: before.since, stampedAnew: checkpoint.since });
  return true;
}

/** As long as something holds the Machine nobody tries. */
const isLateFor = ({ env, arrived: { subject } }: Step): boolean =>
  guard(subject) === undefined && !hasSoughtNode(env, subject) && isUntriedForLong(subject, env.clock.now());

/** A Node that could not be looked for was tried, and no status tells of it. */
const hasSoughtNode = (env: Environment, subject: Subject): boolean =>
  subject.machine.nodeName === undefined && hasTried(env, subject);

/** The time limit of the phase counts from now on. The same answer and errors. */
export async function beginNow(step: Step): Promise<boolean> {
  const { env, arrived } = step;
  const { machine, checkpoint: before } = arrived.subject;
  if (!(await restamp(step, firstTried(before, beginningAt(machine, env.clock.now()))))) return false;
  arrived.isFirstTry = true;
  env.log.info('The time limit of this phase counts from now: nobody has tried it before', {
    since: before.since,
  });
  return true;
}

async function restamp({ env, arrived }: Step, checkpoint: Checkpoint): Promise<boolean> {
  const { subject } = arrived;
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine, checkpoint };
  return true;
}
