import type { Checkpoint } from '../machine/checkpoint.ts';
import { beginningAt, presentAt, withoutFuture } from '../machine/timestamps.ts';
import { guard, holdOn } from '../phase/guard.ts';
import { firstTried, isUntriedForLong } from '../phase/untried.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import { hasTried } from '../read/tries.ts';
import type { Turn } from './step.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';

/**
 * Stamps anew what began in the future by a clock that was wrong, or long before anybody tried it, before anything is
 * decided by it; writes only where there is such a start. False when the Machine has changed or gone meanwhile. Throws
 * CouldNotLook when it could not be written.
 */
export async function stampAnew(turn: Turn): Promise<boolean> {
  const { env, arrived } = turn;
  const { subject, isSaved } = arrived;
  const { machine, checkpoint: before } = subject;
  const checkpoint = withoutFuture(before, presentAt(machine, env.clock.now()));
  // A Machine that must be left as it is gets no checkpoint, and nothing is decided by this one.
  if (checkpoint === before) return isSaved && isLateFor(turn) ? beginNow(turn) : true;
  if (holdOn(subject) !== undefined) return true;
  if (!isSaved) {
    arrived.subject = { ...subject, checkpoint };
    return true;
  }
  if (!(await restamp(turn, checkpoint))) return false;
  env.log.warn('A start lay in the future', { since: before.since, stampedAnew: checkpoint.since });
  return true;
}

/** As long as something holds the Machine nobody tries. */
const isLateFor = ({ env, arrived: { subject } }: Turn): boolean =>
  guard(subject) === undefined && !hasSoughtNode(env, subject) && isUntriedForLong(subject, env.clock.now());

/** A Node that could not be looked for was tried, and no status tells of it. */
const hasSoughtNode = (env: Environment, subject: Subject): boolean =>
  subject.machine.nodeName === undefined && hasTried(env, subject);

/** The time limit of the phase counts from now on. The same answer and errors. */
export async function beginNow(turn: Turn): Promise<boolean> {
  const { env, arrived } = turn;
  const { machine, checkpoint: before } = arrived.subject;
  if (!(await restamp(turn, firstTried(before, beginningAt(machine, env.clock.now()))))) return false;
  arrived.isFirstTry = true;
  env.log.info('The time limit of this phase counts from now: nobody has tried it before', {
    since: before.since,
  });
  return true;
}

async function restamp({ env, arrived }: Turn, checkpoint: Checkpoint): Promise<boolean> {
  const { subject } = arrived;
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine, checkpoint };
  return true;
}
