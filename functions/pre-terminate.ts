import { type BesideHooksSeen, observeBesideHooks } from '../shared/observe/beside-hooks.ts';
import { observeHooks } from '../shared/observe/hooks.ts';
import { observeUnheld } from '../shared/observe/recheck.ts';
import type { Decision } from '../shared/phase/decision.ts';
import { definePhase, type Subject } from '../shared/phase/definition.ts';
import { decideHooks, type HooksSeen } from '../shared/phase/hooks.ts';
import { goBack, type StepBack } from '../shared/phase/retreat.ts';
import { internalError, retrySoon } from '../shared/phase/time-limit.ts';
import type { Instant } from '../shared/time/clock.ts';

/** What is seen before the server goes. */
type PreTerminateSeen =
  /** `back`: the Node may be in use again. */
  { kind: 'alone'; back?: StepBack | undefined; hooks?: HooksSeen | undefined } | BesideHooksSeen;

/**
 * Passes when no pre-terminate hook is left. The guard before every phase waits for the hooks of others; then the
 * functions of DeletionHooks are asked. If the Machine never waited for a hook, its Node may be in use again. Beside the
 * API's own controller, our own hook holds the Machine meanwhile, and goes at the end.
 */
export const preTerminate = definePhase<PreTerminateSeen>({
  name: 'pre-terminate',
  async observe(snapshot, subject) {
    if (subject.dialect.beside !== undefined) return observeBesideHooks(snapshot, subject);
    const back = await observeUnheld(snapshot, subject);
    return { kind: 'alone', back, hooks: await observeHooks(snapshot, subject, 'PreTerminate') };
  },
  decide(subject, seen, now) {
    if (seen.kind !== 'alone') return decideBeside(subject, seen, now);
    const { back, hooks } = seen;
    if (back !== undefined) return goBack(back);
    const asked = decideHooks(subject, hooks, now);
    if (asked !== undefined) return asked;
    const { machine, dialect } = subject;
    const passing = dialect.hasWaitedForHooks(machine) ? 'done' : 'not-applicable';
    return { kind: 'advance', passing, message: 'no pre-terminate hook is left' };
  },
  onUnavailable: ({ dialect: { beside } }, why) =>
    // Beside it the condition is our own, so it can name the cause.
    retrySoon(beside === undefined ? internalError(why) : internalError(why, why)),
});

/** Its events show how far the API's own controller is. This time covers lost ones. */
const aheadSeconds = 60;

function decideBeside(subject: Subject, seen: BesideHooksSeen, now: Instant): Decision {
  switch (seen.kind) {
    case 'let-go':
      return handedOver('it was let go before');
    case 'held-again':
      return { kind: 'retreat', to: 'hand-over', message: 'our pre-drain hook is on it again' };
    case 'ahead':
      return {
        kind: 'wait',
        until: [{ kind: 'hook-removed' }],
        report: {
          reason: 'HandingOver',
          message: 'Handed over until its own controller comes to the pre-terminate hooks',
        },
        requeueAfterSeconds: aheadSeconds,
      };
    case 'reached':
      return decideHooks(subject, seen.hooks, now) ?? handedOver('no function is left to ask');
    default:
      return seen satisfies never;
  }
}

const handedOver = (how: string): Decision => ({
  kind: 'hand-over',
  exclusions: [],
  report: { reason: 'HandingOver', message: `Handed over: ${how}` },
});
