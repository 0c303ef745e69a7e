import { lookAtMachines } from '../remove/in-flight.ts';
import { type LookedAfter, mayBeLess } from '../remove/looked-after.ts';
import { refuseInFlight, tellWhatIsLeft } from '../remove/what-is-left.ts';
import type { Site } from './site.ts';

/** Whose Machines have been looked after so far, and would be from now on. */
export interface Narrowing {
  before: LookedAfter;
  after: LookedAfter;
}

/**
 * Throws CannotDo where a deletion is in flight that nobody would go on with, unless it is to be abandoned, and
 * Unavailable. Machines are asked for only where some may be given up.
 */
export async function refuseGivenUp(
  site: Site,
  { before, after }: Narrowing,
  { abandon }: { abandon: boolean },
): Promise<void> {
  if (!mayBeLess(before, after)) return;
  const left = await lookAtMachines(site, before, after);
  if (!abandon) refuseInFlight(left, 'would no longer be looked after');
  tellWhatIsLeft(site, left);
}
