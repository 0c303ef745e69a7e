import type { Dialect } from '../dialects/dialect.ts';
import { MachineUnreadable } from '../dialects/dialect.ts';
import type { DeletionStatus } from '../explain/deletion-status.ts';
import { standingOf } from '../explain/status-of.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Phase } from '../machine/phase.ts';
import { isOurs, knownDialect } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';

/** The Machine API of a version, where phaseout only watches it. */
export function observedDialect(env: Environment, apiVersion: string | undefined): Dialect | undefined {
  const dialect = knownDialect(env, apiVersion ?? '');
  return dialect?.isObserved === true ? dialect : undefined;
}

/** Where a deletion stands that is only watched. An API that shows no progress is in its first phase. */
export type Watched = Omit<DeletionStatus, 'phase'> & { phase: Phase };

/** Undefined where the Machine lives, or is none of ours to watch. Throws MachineUnreadable. */
export function watchedOf(env: Environment, dialect: Dialect, raw: KubeObject): Watched | undefined {
  const standing = standingOf(raw, { now: env.clock.now(), dialects: [dialect] });
  if (standing === undefined || !isOurs(env, dialect.read(raw), dialect)) return undefined;
  const [first] = dialect.phases;
  const { phase = first, deletedAt, since = phase === first ? deletedAt : undefined } = standing;
  if (phase === undefined) throw new MachineUnreadable(`${dialect.name} has no phases`);
  return { ...standing, phase, ...(since !== undefined && { since }) };
}
