import { sweepAll, sweepDue } from '../shared/intake/sweep.ts';
import { countingSweep } from '../shared/intake/sweep-metrics.ts';
import type { Advance, Fact } from '../shared/machine/messages.ts';
import type { Environment } from '../shared/runtime/environment.ts';

/**
 * Sends commands for what is due (`due`). Or lists all Machines, and sends commands for deletions and for servers to
 * maintain (`all`).
 * @param publish takes the facts of deletions that phaseout only watches
 */
export const sweep = (
  env: Environment,
  which: 'due' | 'all',
  publish: (facts: readonly Fact[]) => void = () => undefined,
): Promise<Advance[]> =>
  countingSweep(env, which, () => (which === 'due' ? sweepDue(env, publish) : sweepAll(env)));
