import { MachineUnreadable } from '../dialects/dialect.ts';
import { shownOwnNode } from '../dialects/own-node-condition.ts';
import { shownReason } from '../dialects/shown-reason.ts';
import { observedDialect, watchedOf } from '../follow/watched.ts';
import { presentStanding } from '../hooks/turn.ts';
import { isHeldUp } from '../hooks/words.ts';
import type { Key } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Advance } from '../machine/messages.ts';
import type { Read } from '../read/list-machines.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';
import { intakeEvent, takeInDeleted } from './intake.ts';

/** What is to be asked of a Machine, and the reason that it shows for where it stands. */
export interface Asked {
  command: Advance;
  reason: string;
  /** When its deletion was asked for. */
  deletedAt?: Instant;
  /** The reason that it shows for a Node that is not known to be its own. */
  notOwn?: string;
  /** The DeletionHooks whose functions it waits for. */
  turns?: readonly AskedTurn[];
  /** It is only watched: there is no step to take. */
  isWatched?: true;
}

/** A DeletionHook whose turn it is for a Machine. */
interface AskedTurn {
  /** UID of the DeletionHook. */
  hook: string;
  name: string;
  /** A person should look at it. */
  isHeldUp: boolean;
}

export async function intakeListed(env: Environment, read: Read): Promise<Asked | undefined> {
  try {
    return watchedIn(env, read) ?? asked(env, read, await takeInRead(env, read));
  } catch (error) {
    return unread(env, read.raw.metadata, error);
  }
}

/** The same for a Machine that is being deleted and that nothing holds: the step reads it. */
export function glimpsed(env: Environment, read: Read): Asked | undefined {
  const { raw, age } = read;
  try {
    env.cache.rememberBack(raw.metadata.uid ?? '', age);
    return watchedIn(env, read) ?? asked(env, read, takeInDeleted(env, raw));
  } catch (error) {
    return unread(env, raw.metadata, error);
  }
}

/** Undefined for a Machine that is not only watched. */
function watchedIn(env: Environment, { raw }: Read): Asked | undefined {
  const dialect = observedDialect(env, raw.apiVersion);
  const watched = dialect && watchedOf(env, dialect, raw);
  if (watched === undefined) return undefined;
  const { machine, phase, waitsFor } = watched;
  const command = { machine, phase, seq: 0 };
  return { command, reason: waitsFor.reason, ...deletedAtOf(raw), isWatched: true };
}

const asked = ({ clock }: Environment, { raw }: Read, command: Advance | undefined): Asked | undefined =>
  command && {
    command,
    reason: shownReason(raw, command.phase),
    ...deletedAtOf(raw),
    ...notOwnIn(raw),
    ...turnsIn(raw, command, clock.now()),
  };

function deletedAtOf({ metadata }: KubeObject): Pick<Asked, 'deletedAt'> {
  const deletedAt = Date.parse(metadata.deletionTimestamp ?? '');
  return Number.isNaN(deletedAt) ? {} : { deletedAt };
}

function notOwnIn(raw: KubeObject): Pick<Asked, 'notOwn'> {
  const reason = shownOwnNode(raw)?.reason;
  return reason === undefined ? {} : { notOwn: reason };
}

function turnsIn(
  { metadata: { annotations = {} } }: KubeObject,
  { machine: ref }: Advance,
  now: Instant,
): Pick<Asked, 'turns'> {
  const turns = presentStanding({ annotations, ref }, now).map((standing) => {
    const { uid: hook, name } = standing.asked;
    return { hook, name, isHeldUp: isHeldUp(standing) };
  });
  return turns.length === 0 ? {} : { turns };
}

/** The step that follows at once need not read it again. */
export async function takeInRead(
  env: Environment,
  { raw, age }: Read,
  failures = 0,
): Promise<Advance | undefined> {
  env.cache.rememberBack(raw.metadata.uid ?? '', age);
  const command = await intakeEvent(env, raw, { failures });
  if (command !== undefined) env.cache.rememberMachine(raw, age);
  return command;
}

/**
 * One Machine that cannot be read must not keep the sweep from the others. Nor must one that a mistake of ours is about.
 * Every sweep would meet it again.
 */
export function unread({ log }: Environment, { namespace, name }: Key, error: unknown): undefined {
  const Machine = `${namespace}/${name}`;
  if (error instanceof Unavailable || error instanceof MachineUnreadable)
    log.warn('Machine could not be swept', { Machine, why: error.message });
  else log.error('Machine could not be swept', { Machine, error });
}
