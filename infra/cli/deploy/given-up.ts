import { lookAtMachines } from '../remove/in-flight.ts';
import { type LookedAfter, mayBeLess } from '../remove/looked-after.ts';
import { refuseInFlight, tellWhatIsLeft } from '../remove/what-is-left.ts';
import type { Site } from './site.ts';

/** The Machines that phaseout looks after before the update, and after it. */
export interface Narrowing {
  before: LookedAfter;
  after: LookedAfter;
}

/**
 * Throws CannotDo if a deletion in flight would stop for good, unless the user abandons it. Throws
 * Unavailable too. Reads Machines only if the change may leave some without a controller.
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
