import { sweepAll, sweepDue } from '../shared/intake/sweep.ts';
import { countingSweep } from '../shared/intake/sweep-metrics.ts';
import type { Advance, Fact } from '../shared/machine/messages.ts';
import type { Environment } from '../shared/runtime/environment.ts';

/**
 * Asks again for what is due, or for everything that is being deleted and all that is kept in step with servers.
 * @param tell takes what has become true of deletions that are only watched
 */
export const sweep = (
  env: Environment,
  which: 'due' | 'all',
  tell: (facts: readonly Fact[]) => void = () => undefined,
): Promise<Advance[]> =>
  countingSweep(env, which, () => (which === 'due' ? sweepDue(env, tell) : sweepAll(env)));
