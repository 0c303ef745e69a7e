import { compareBytes } from '../text/byte-order.ts';
import type { Instant } from '../time/clock.ts';
import type { Requeue, WhichLook } from './port.ts';
import { dueLookRetentionSeconds } from './retention.ts';

/**
 * Whether `look` takes the place of what is scheduled: unless that is still to come, and earlier. A look of a deletion
 * comes before one of a living Machine, whatever their times. A look that a step has asked for comes before a
 * provisional one.
 */
export function takesThePlaceOf(look: Requeue, scheduled: Requeue, now: Instant): boolean {
  if (scheduled.at <= now) return true;
  if (isOfDeletion(look) !== isOfDeletion(scheduled)) return isOfDeletion(look);
  const [isProvisional, wasProvisional] = [look, scheduled].map(isOnlyInCase);
  return isProvisional === wasProvisional ? look.at <= scheduled.at : !isProvisional;
}

/** Whether what is scheduled is still `look`. */
export const isThatLook = (look: WhichLook, scheduled: WhichLook): boolean =>
  look.at === scheduled.at &&
  isOnlyInCase(look) === isOnlyInCase(scheduled) &&
  isOfDeletion(look) === isOfDeletion(scheduled);

const isOnlyInCase = ({ isProvisional }: WhichLook): boolean => isProvisional === true;

const isOfDeletion = (look: WhichLook): boolean => look.isOfDeletion === true;

/** The oldest time of a look that is still answered at `now`. */
export const oldestDue = (now: Instant): Instant => now - dueLookRetentionSeconds * 1000 + 1;

/** Soonest first, at most `limit`. */
export const soonest = (looks: Requeue[], limit: number): Requeue[] =>
  looks
    .toSorted((one, other) => one.at - other.at || compareBytes(one.machine.uid, other.machine.uid))
    .slice(0, limit);
