import type { Instant } from '../time/clock.ts';
import type { Subject } from './definition.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import { isBefore, type Phase } from '../machine/phase.ts';
import type { Attempt } from './attempt.ts';

type Standing = Pick<Subject, 'machine' | 'dialect' | 'checkpoint'>;

/** What the way from one phase to the next may take without the time limit losing by it. */
const minMilliseconds = 1_000;
/** Of each second of a time limit, what is rather given away than written down, in milliseconds. */
const givenAwayMilliseconds = 100;
const unlimitedMilliseconds = 60_000;

/**
 * Whether nobody has tried the phase for so long that its time limit would lose by it: it was handed on, and then a hook
 * came, or a pause, or the command was lost. A limit is for trying: Cluster API counts it from the first try.
 */
export const isUntriedForLong = (standing: Standing, now: Instant): boolean =>
  !isTried(standing) && hasLostTime(standing, now);

/** Its time has not begun: so far nobody could tell whether it is to be done. Who has tried it since knows better. */
export function isPutOff(standing: Standing, attempt?: Attempt): boolean {
  const { machine, dialect, checkpoint } = standing;
  if (attempt === 'tried' || isTryTold(standing)) return false;
  return attempt === 'undecided' || dialect.isPutOff(machine, checkpoint.phase);
}

/** Whether that has lasted for so long that its time limit would lose by it, once it is known that it is to be done. */
export const isPutOffForLong = (standing: Standing, now: Instant, attempt?: Attempt): boolean =>
  isPutOff(standing, attempt) && hasLostTime(standing, now);

function hasLostTime({ machine, checkpoint }: Standing, now: Instant): boolean {
  const seconds = limitSecondsOf(checkpoint.phase, machine);
  const most =
    seconds > 0 ? Math.max(minMilliseconds, seconds * givenAwayMilliseconds) : unlimitedMilliseconds;
  return now - Date.parse(checkpoint.since) >= most;
}

/** Whether it was tried, now or before, or was to be by whoever wrote that it begins: the checkpoint remembers that. */
const isTried = (standing: Standing): boolean =>
  standing.checkpoint.reached !== undefined || isTryTold(standing);

/** Whether the Machine tells that it was tried, or a later phase does that came after its start. */
export const isTryTold = ({ machine, dialect, checkpoint }: Standing): boolean => {
  const { phase, since, passed } = checkpoint;
  const isLater = (each: Phase): boolean =>
    !isBefore(each, phase) && Date.parse(String(passed[each]?.since)) >= Date.parse(since);
  return dialect.isTried(machine, phase) || dialect.phases.some(isLater);
};

/** The same place, where the first try begins now. It begins so once, also where no status can tell of the try. */
export const firstTried = (checkpoint: Checkpoint, now: Instant): Checkpoint => ({
  ...checkpoint,
  since: new Date(now).toISOString(),
  reached: checkpoint.reached ?? checkpoint.since,
});

/** As the next try finds it: the very same checkpoint where that is not the first, or comes in time. */
export const asTried = (standing: Standing, now: Instant): Checkpoint =>
  isUntriedForLong(standing, now) || isPutOffForLong(standing, now)
    ? firstTried(standing.checkpoint, now)
    : standing.checkpoint;
