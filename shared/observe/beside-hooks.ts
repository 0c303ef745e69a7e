import { hasHook } from '../dialects/beside/hook.ts';
import { isAtPreTerminate } from '../dialects/beside/phases.ts';
import type { Subject } from '../phase/definition.ts';
import type { HooksSeen } from '../phase/hooks.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import { observeHooks } from './hooks.ts';

/** What is seen beside the API's own controller, after the hand-over of the drain. */
export type BesideHooksSeen =
  /** Our hook has come back on a Machine that was let go. */
  | { kind: 'let-go' }
  /** Our hook before the drain is on it again: the API's own controller waits for that one. */
  | { kind: 'held-again' }
  /** The API's own controller has not come to our hook yet, or does not say so. */
  | { kind: 'ahead' }
  | { kind: 'reached'; hooks: HooksSeen | undefined };

/** Nothing is read before the API's own controller has come to our hook. Throws Unavailable as observeHooks. */
export async function observeBesideHooks(snapshot: Snapshot, subject: Subject): Promise<BesideHooksSeen> {
  const { machine, dialect, checkpoint } = subject;
  if (!snapshot.isForesight) {
    if (checkpoint.released !== undefined) return { kind: 'let-go' };
    if (dialect.beside !== undefined && hasHook(machine.raw, dialect.beside.hooks.PreDrain))
      return { kind: 'held-again' };
    if (!isAtPreTerminate(machine, dialect)) return { kind: 'ahead' };
  }
  return { kind: 'reached', hooks: await observeHooks(snapshot, subject, 'PreTerminate') };
}
