import { sweepAll, sweepDue } from '../shared/intake/sweep.ts';
import { countingSweep } from '../shared/intake/sweep-metrics.ts';
import type { Advance } from '../shared/machine/messages.ts';
import type { Environment } from '../shared/runtime/environment.ts';

/** Asks again for what is due, or for everything that is being deleted and all that is kept in step with servers. */
export const sweep = (env: Environment, which: 'due' | 'all'): Promise<Advance[]> =>
  countingSweep(env, which, () => (which === 'due' ? sweepDue(env) : sweepAll(env)));
