import { observeUnheld } from '../shared/observe/recheck.ts';
import { definePhase } from '../shared/phase/definition.ts';
import { goBack, type StepBack } from '../shared/phase/retreat.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

/**
 * Passes when no pre-terminate hook is left. The guard before every phase does the waiting. If the Machine never
 * waited for a hook, its Node may be in use again.
 */
export const preTerminate = definePhase<StepBack | undefined>({
  name: 'pre-terminate',
  observe: observeUnheld,
  decide({ machine, dialect }, back) {
    if (back !== undefined) return goBack(back);
    const passing = dialect.hasWaitedForHooks(machine) ? 'done' : 'not-applicable';
    return { kind: 'advance', passing, message: 'no pre-terminate hook is left' };
  },
  onUnavailable: (_subject, why) => retrySoon(internalError(why)),
});
