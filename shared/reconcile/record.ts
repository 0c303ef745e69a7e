import { noteReported, reported } from '../cache/ledger.ts';
import type { Machine } from '../machine/machine.ts';
import { reportKey } from '../machine/report.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import type { HistoryEntry } from '../store/port.ts';
import { writeEvents } from '../write/events.ts';
import type { Journal, Noted, Step } from './step.ts';

/**
 * Writes the step's Events and history, once, however the step ends. No later step would write them. Answers as
 * `writeEvents` does.
 */
export async function record({ env, arrived: { subject }, journal }: Step): Promise<boolean> {
  const [areWritten] = await Promise.all([
    writeEvents(env, subject, journal.events.splice(0)),
    addHistory(env, subject, journal),
  ]);
  return areWritten;
}

/**
 * Adds the step's decisions to the Machine's history, each once. A decision that fails again and again is one entry,
 * while this instance remembers it.
 */
export async function addHistory(
  env: Environment,
  { machine }: Pick<Subject, 'machine'>,
  { history }: Journal,
): Promise<void> {
  const { uid } = machine.ref;
  const entries = entriesOf(env, machine, newAfter(reported(env.cache, uid).entry, history));
  if (entries.length > 0) await env.store.appendHistory(machine.ref, entries);
  const last = history.at(-1);
  // The next attempt may record again what a store that is down has lost.
  if (last !== undefined && env.store.isAvailable?.() !== false)
    noteReported(env.cache, uid, { entry: keyOf(last) });
  history.splice(0);
}

const keyOf = (noted: Noted): string => reportKey(noted.seq, noted);

/** Without those that equal the one before them. */
const newAfter = (before: string | undefined, history: readonly Noted[]): Noted[] =>
  history.filter((noted, index) => {
    const previous = history[index - 1];
    return keyOf(noted) !== (previous === undefined ? before : keyOf(previous));
  });

function entriesOf(env: Environment, { nodeName }: Machine, history: readonly Noted[]): HistoryEntry[] {
  const at = env.clock.now();
  const time = new Date(at).toISOString();
  return history.map(({ seq, phase, what, reason, message, error = '', detail = error }, index) => ({
    phase,
    what,
    reason,
    message: message.includes(detail) ? message : `${message}: ${detail}`,
    at,
    // Two steps may end in the same millisecond, even in one instance that froze. Only one of them passes the phase.
    id: `${String(seq).padStart(6, '0')}-${time}-${index}-${env.instance}-${what}`,
    by: env.instance,
    ...(nodeName !== undefined && { node: nodeName }),
  }));
}
