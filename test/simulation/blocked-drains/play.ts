import { invariants, whileWatching } from '../invariants/index.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { Beside } from '../scenario/draw/beside.ts';
import type { SimulationOptions } from '../simulate.ts';
import { onlyWhatIsGranted } from './only-what-is-granted.ts';
import { podsDeletedByPolicy } from './pods-deleted-by-policy.ts';
import { restartedByPolicy } from './restarted-by-policy.ts';
import { restartedOnce } from './restarted-once.ts';
import { restartedWithoutAGap } from './restarted-without-a-gap.ts';
import { planWithDeployments } from './with-deployments.ts';

/** What must be so of restarts and deletes. */
export const blockedInvariants: readonly Invariant[] = [
  restartedWithoutAGap,
  restartedOnce,
  restartedByPolicy,
  podsDeletedByPolicy,
  onlyWhatIsGranted,
];

/** How seeds are played in worlds with Deployments. All else must be so as in any world. */
export const withDeployments = (
  beside: Beside,
): Required<Pick<SimulationOptions, 'beside' | 'scenario' | 'invariants'>> => ({
  beside,
  scenario: planWithDeployments,
  invariants: [...(beside === 'observe' ? whileWatching : invariants), ...blockedInvariants],
});
