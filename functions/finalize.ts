import { definePhase } from '../shared/phase-definition.ts';

/** Everything is gone: our finalizer may go, and only ours. */
export const finalize = definePhase({
  name: 'finalize',
  observe: async () => undefined,
  decide: () => ({ kind: 'release', report: { reason: 'DeletionCompleted', message: 'Deletion completed' } }),
  blind: (_subject, why) => ({
    kind: 'wait',
    until: [],
    report: { reason: 'InternalError', message: 'Please check controller logs for errors', error: why },
    lookAgainSeconds: 5,
  }),
});
