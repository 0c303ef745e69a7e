import { definePhase } from '../shared/phase/definition.ts';
import { bypassedText } from '../shared/phase/guard.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

const point = 'pre-drain';

/**
 * Passes when no pre-drain hook holds the Machine. The guard before every phase does the waiting. Hooks that are left
 * here do not hold: the Node is left alone, or there is no drain.
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
