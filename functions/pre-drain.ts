import { observeHooks } from '../shared/observe/hooks.ts';
import { observePlaces } from '../shared/observe/places.ts';
import { definePhase } from '../shared/phase/definition.ts';
import { bypassedText } from '../shared/phase/guard.ts';
import { decideHooks, type HooksSeen } from '../shared/phase/hooks.ts';
import { decidePlaces, type PlacesSeen } from '../shared/phase/places.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';

const point = 'pre-drain';

/** What is seen before the drain. */
interface PreDrainSeen {
  places: PlacesSeen | undefined;
  hooks: HooksSeen | undefined;
}

/**
 * Passes when no pre-drain hook holds the Machine. The guard before every phase waits for the hooks of others.
 * Then the Machine waits for a place of its DrainPolicies. Then the functions of DeletionHooks are asked. Hooks that are left here do not hold: the Node is left alone, or there is no
 * drain.
 */
export const preDrain = definePhase<PreDrainSeen>({
  name: point,
  async observe(snapshot, subject) {
    const { nodeSearch } = subject;
    if (nodeSearch?.kind === 'unread') throw nodeSearch.why;
    const places = await observePlaces(snapshot, subject);
    return { places, hooks: await observeHooks(snapshot, subject, 'PreDrain') };
  },
  decide(subject, seen, now) {
    const held = decidePlaces(seen.places, now) ?? decideHooks(subject, seen.hooks, now);
    if (held !== undefined) return held;
    const { machine, dialect, nodeDeletion } = subject;
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
