import type { Dialect } from '../dialects/dialect.ts';
import { readOr } from '../kubernetes/errors.ts';
import type { Machine } from '../machine/machine.ts';
import { type OwnNode, observeOwnNode } from '../observe/node.ts';
import type { Subject } from '../phase/definition.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { openSnapshot } from '../read/open-snapshot.ts';
import { unseenSurroundings } from '../read/surroundings.ts';
import type { Environment } from '../runtime/environment.ts';
import { standing, subjectFor } from './subject.ts';

type NotOwn = Exclude<OwnNode, { kind: 'own' | 'none' }>;

/**
 * The Node that would be deleted with the Machine, where that is not proven to be its own. Undefined where it is, and where no
 * Node goes. Throws Unavailable.
 */
export async function notOwnNode(
  env: Environment,
  machine: Machine,
  dialect: Dialect,
): Promise<NotOwn | undefined> {
  const saved = standing(machine, dialect, env.clock.now());
  const subject = await subjectFor(env, { machine, dialect, saved });
  if (!subject.nodeDeletion.allowed) return undefined;
  return observeNotOwn(openSnapshot(env, subject), subject);
}

/** The Node that the Machine names, where that is not proven to be its own. Throws Unavailable. */
export async function observeNotOwn(snapshot: Snapshot, subject: Subject): Promise<NotOwn | undefined> {
  const own = await observeOwnNode(snapshot, subject);
  return own.kind === 'own' || own.kind === 'none' ? undefined : own;
}

/** Why it is not, where nothing else is read of the Node. */
export async function whyNotOwn(
  env: Environment,
  given: Omit<Subject, 'surroundings'>,
): Promise<string | undefined> {
  if (given.machine.nodeName === undefined) return undefined;
  const subject = { ...given, surroundings: unseenSurroundings };
  const notOwn = await readOr(undefined, () => observeNotOwn(openSnapshot(env, subject), subject));
  return notOwn?.why;
}
