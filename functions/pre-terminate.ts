import { definePhase } from '../shared/phase-definition.ts';
import { internalError, retrySoon } from '../shared/retry-soon.ts';

/** Waits until no pre-terminate hook is left. The guard before every phase does the waiting; here none is left. */
export const preTerminate = definePhase({
  name: 'pre-terminate',
  observe: async () => undefined,
  decide: () => ({ kind: 'advance', passing: 'done', message: 'no pre-terminate hook is left' }),
  blind: (_subject, why) => retrySoon(internalError(why)),
});
