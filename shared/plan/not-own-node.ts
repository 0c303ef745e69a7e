import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import { type OwnNode, observeOwnNode } from '../observe/node.ts';
import { openSnapshot } from '../read/open-snapshot.ts';
import type { Environment } from '../runtime/environment.ts';
import { plannedSubject, standing } from './plan-subject.ts';

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
  const subject = await plannedSubject(env, { machine, dialect, saved });
  if (!subject.nodeDeletion.allowed) return undefined;
  const own = await observeOwnNode(openSnapshot(env, subject), subject);
  return own.kind === 'own' || own.kind === 'none' ? undefined : own;
}
