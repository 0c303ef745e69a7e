import { definePhase } from '../shared/phase/definition.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

/** Everything is gone. Removes our finalizer, and only ours. */
export const finalize = definePhase({
  name: 'finalize',
  observe: async () => undefined,
  decide: () => ({ kind: 'release', report: { reason: 'DeletionCompleted', message: 'Deletion completed' } }),
  onUnavailable: (_subject, why) => retrySoon(internalError(why)),
});
