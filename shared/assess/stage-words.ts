import type { Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import { type Phase, reasonsOf, recordOf } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';

/** What a Machine in this phase waits for, where it says nothing itself. */
export function wordsFor(
  phase: Phase,
  machine: Machine,
  dialect: Dialect,
): { reason: Reason; message: string } {
  return { reason: reasonsOf(phase)[0], message: messageOf(phase, machine, dialect) };
}

function messageOf(phase: Phase, machine: Machine, dialect: Dialect): string {
  const { hooks, waits, object } = recordOf(phase);
  if (hooks !== undefined && dialect.hooks(machine, hooks).length > 0)
    return dialect.hookMessage(machine, hooks);
  if (object === undefined) return waits;
  const isObject = object === 'bootstrap' || dialect.termination.by === 'object';
  return waits.replace('KIND', isObject ? (machine[object]?.kind ?? 'the object') : 'the instance');
}
