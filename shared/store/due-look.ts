import type { Instant } from '../clock.ts';
import { compareBytes } from '../text/byte-order.ts';
import { dueLookRetentionSeconds } from './retention.ts';
import type { DueLook } from './port.ts';

/** Whether `look` takes the place of what is scheduled: unless that is earlier and still to come. */
export const takesThePlaceOf = (look: DueLook, scheduled: DueLook, now: Instant): boolean =>
  look.at <= scheduled.at || scheduled.at <= now;

/** The oldest time of a look that is still answered at `now`. */
export const oldestDue = (now: Instant): Instant => now - dueLookRetentionSeconds * 1000 + 1;

/** Soonest first, at most `limit`. */
export const soonest = (looks: DueLook[], limit: number): DueLook[] =>
  looks
    .toSorted((one, other) => one.at - other.at || compareBytes(one.machine.uid, other.machine.uid))
    .slice(0, limit);
