import { definePhase } from '../shared/phase/definition.ts';
import { bypassedText } from '../shared/phase/guard.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

const point = 'pre-drain';

/**
 * Waits until no pre-drain hook is left. The guard before every phase does the waiting; here none is left, or those that
 * are hold nothing: of a Node that is left alone, or before a drain that there is not.
 */
export const preDrain = definePhase({
  name: point,
  async observe(_snapshot, { nodeSearch }) {
    if (nodeSearch?.kind === 'unread') throw nodeSearch.why;
  },
  decide({ machine, dialect, nodeDeletion }) {
    if (!nodeDeletion.allowed)
      return { kind: 'advance', passing: 'not-applicable', message: nodeDeletion.why };
    const bypassed = dialect.bypassedHooks(machine, point);
    const message =
      bypassed.length === 0
        ? 'no pre-drain hook is left'
        : `no pre-drain hook holds it${bypassedText(point, bypassed)}`;
    return { kind: 'advance', passing: 'done', message };
  },
  onUnavailable: (_subject, why) => retrySoon(internalError(why)),
});
