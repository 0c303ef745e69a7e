import { type Dialect, MachineUnreadable } from '../dialects/dialect.ts';
import type { DeletionStatus } from '../explain/deletion-status.ts';
import { standingOf } from '../explain/status-of.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { isLimited, limitSecondsOf, type Machine } from '../machine/machine.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { PhaseExit } from '../machine/reason.ts';
import { isOurs, knownDialect } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Instant } from '../time/clock.ts';

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

/** No sooner, where a Machine stays in its phase: the APIs' own controllers look as often. */
export const shortestPause = 20_000;
const longestPause = 300_000;

/** When it is looked at next, if no event comes before. The longer it stays in its phase, the longer the pause. */
export function nextLook(since: Instant, now: Instant): Instant {
  return now + Math.min(longestPause, Math.max(shortestPause, Math.round((now - since) / 4)));
}

interface Seen {
  machine: Machine;
  dialect: Dialect;
  watched: Watched;
}

/** How its controller has left a phase, as the Machine tells. */
export function exitOf(from: Phase, seen: Seen, now: Instant): PhaseExit {
  const { machine, dialect, watched } = seen;
  if (isBefore(watched.phase, from)) return 'returned';
  if (from === 'drain' && dialect.isDrainExcluded(machine)) return 'excluded';
  if (from === 'volume-detach' && dialect.isVolumeWaitExcluded(machine)) return 'excluded';
  return isOver(from, seen, now) ? 'timed-out' : 'done';
}

/** The time of the Node counts from the deletion, and ends with the Machine. */
function isOver(from: Phase, { machine, dialect, watched }: Seen, now: Instant): boolean {
  const seconds = limitSecondsOf(from, machine);
  const began = dialect.startTimes(machine)[from];
  if (!isLimited(from) || seconds <= 0 || began === undefined) return false;
  const until = watched.since === undefined ? now : Date.parse(watched.since);
  return until - Date.parse(began) >= seconds * 1_000;
}
