import type { DeadLetter } from '../shared/machine/messages.ts';
import { knownDialect } from '../shared/read/machine.ts';
import type { Environment } from '../shared/runtime/environment.ts';
import { aboutMachine } from '../shared/runtime/telemetry.ts';

/** Our own answer to a malformed event or Machine. Another look finds the same. */
const malformed = 400;

/**
 * Logs and counts an event that the Broker gave up, and schedules a look at its Machine. Without that look the rare
 * sweep would find the Machine minutes later. An event that its Trigger does not select is no loss.
 */
export async function deadLetter(env: Environment, letter: DeadLetter): Promise<void> {
  if (letter.isNoLoss === true) return;
  const { id, type, destination, status, answer, machine, kind } = letter;
  const about = machine === undefined ? {} : aboutMachine(machine);
  env.log.warn('Event was given up', { ...about, type, event: id, destination, status, answer });
  // Anybody may send events of any type through the Broker. Other types are counted as one, since a label has few values.
  const counted = { type: kind === 'other' ? 'other' : type, code: String(status ?? 'unknown') };
  env.metrics.count('deadLetters', counted);
  if (machine === undefined || !isWorthALook(letter)) return;
  if (knownDialect(env, machine.apiVersion) === undefined) return;
  // It may be about a deletion. A deletion's look goes before those of living Machines.
  await env.store.schedule({ machine, at: env.clock.now(), failures: 0, isOfDeletion: true });
}

/** Facts are for others. A lost fact needs no look at the Machine. */
const isWorthALook = ({ kind, status }: DeadLetter): boolean =>
  (kind === 'in' || kind === 'command') && status !== malformed;
