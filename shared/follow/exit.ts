import type { Dialect } from '../dialects/dialect.ts';
import { isLimited, limitSecondsOf, type Machine } from '../machine/machine.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { PhaseExit } from '../machine/reason.ts';
import type { Instant } from '../time/clock.ts';
import type { Watched } from './watched.ts';

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
