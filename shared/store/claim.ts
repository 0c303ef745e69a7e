import type { Advance } from '../machine/messages.ts';
import { clockToleranceMilliseconds, type Instant } from '../time/clock.ts';
import type { BeforeClaim, Claim, Requeue } from './port.ts';

/** How long a claim lasts. A step that takes longer goes on without: resourceVersion and UID protect what it does. */
export const claimMilliseconds = 30_000;

/** A claim that ends later than this is not believed: its instance's clock is ahead, or ours was set back. */
export const furthestEnd = (now: Instant): Instant => now + claimMilliseconds + clockToleranceMilliseconds;

/** Whether a claim that ends then is under way. */
export const isUnderWay = (until: Instant, now: Instant): boolean => until > now && until <= furthestEnd(now);

/** There in case that the step never comes to its end. */
export const lookAtEnd = ({ machine, until }: Pick<Claim, 'machine' | 'until'>): Requeue => ({
  machine,
  at: until,
  failures: 0,
  isProvisional: true,
  isOfDeletion: true,
});

/** Stands for news that names no resourceVersion. */
export const unnamed = '-';

/** Stands for the answer of a function. The step that is under way may have looked before it came. */
export const answered = 'answered';

/** As many as come back as events while a Machine is looked at. */
const maxOurs = 8;

/** No API server has longer ones. Anybody may post an event, and what is heard is kept for a while. */
const longestVersion = 40;

/**
 * The version that the instance with the claim hears of. News without a version may be newer than what that instance
 * sees.
 */
export const versionToReport = (resourceVersion: string | undefined): string | undefined =>
  resourceVersion === undefined || resourceVersion.length > longestVersion ? undefined : resourceVersion;

/** Versions that are no news after a step: what was written, and what was seen last and decided on. The newest ones. */
export const knownVersions = (...versions: readonly (readonly string[])[]): string[] =>
  [...new Set(versions.flat())].toSorted((one, other) => Number(one) - Number(other)).slice(-maxOurs);

/** Whether a Machine, read while its claim was taken, may be older than what earlier steps have left. */
export const isBehind = (resourceVersion: string, { ours, news }: BeforeClaim): boolean =>
  [...ours, ...news].some((version) => Number(version) > Number(resourceVersion));

/**
 * What to look at after a step that has not seen all that was heard meanwhile. Undefined where it has.
 * @param seen the resourceVersion that the step saw last
 */
export function followUp(
  standing: Advance,
  news: readonly string[],
  { ours, seen = '0' }: { ours: readonly string[]; seen: string | undefined },
): Advance | undefined {
  const { resourceVersion: _version, isAnswer: _isAnswer, ...command } = standing;
  const versions = news.filter((version) => version !== unnamed && version !== answered);
  const unseen = versions.filter((version) => !ours.includes(version) && !(Number(version) <= Number(seen)));
  const newest = knownVersions(unseen).at(-1);
  if (newest !== undefined) return { ...command, resourceVersion: newest };
  return news.includes(unnamed) || news.includes(answered) ? command : undefined;
}
