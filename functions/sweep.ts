import type { Advance } from '../shared/announcement.ts';
import type { Environment } from '../shared/runtime/environment.ts';
import { sweepAll, sweepDue } from '../shared/runtime/sweep.ts';

/** Asks again for what is due, or for everything that is being deleted. */
export const sweep = (env: Environment, which: 'due' | 'all'): Promise<Advance[]> =>
  which === 'due' ? sweepDue(env) : sweepAll(env);
