import { definePhase } from '../shared/phase-definition.ts';
import { internalError, retrySoon } from '../shared/retry-soon.ts';

/**
 * Waits until no pre-drain hook is left. The guard before every phase does the waiting; here none is left, or those that
 * are hold nothing: of a Node that is left alone.
 */
export const preDrain = definePhase({
  name: 'pre-drain',
  observe: async () => undefined,
  decide: ({ nodeDeletion }) =>
    nodeDeletion.allowed
      ? { kind: 'advance', passing: 'done', message: 'no pre-drain hook is left' }
      : { kind: 'advance', passing: 'not-applicable', message: nodeDeletion.why },
  blind: (_subject, why) => retrySoon(internalError(why)),
});
