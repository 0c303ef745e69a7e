import type { DeadLetter } from '../shared/machine/messages.ts';
import { knownDialect } from '../shared/read/machine.ts';
import type { Environment } from '../shared/runtime/environment.ts';
import { aboutMachine } from '../shared/runtime/telemetry.ts';

/** Our own word that there is something wrong with the event, or with its Machine: another look finds the same. */
const malformed = 400;

/**
 * Tells of an event that the Broker gave up. Events only say where to look, so that the next sweep looks there instead:
 * without this one it would come upon the Machine minutes later. What a Trigger gave up without selecting it is no loss.
 */
export async function deadLetter(env: Environment, letter: DeadLetter): Promise<void> {
  if (letter.isNoLoss === true) return;
  const { id, type, destination, status, answer, machine, kind } = letter;
  const about = machine === undefined ? {} : aboutMachine(machine);
  env.log.warn('Event was given up', { ...about, type, event: id, destination, status, answer });
  // Anybody may send events of any type through the Broker: theirs are counted together.
  const counted = { type: kind === 'other' ? 'other' : type, code: String(status ?? 'unknown') };
  env.metrics.count('deadLetters', counted);
  if (machine === undefined || !isWorthALook(letter)) return;
  if (knownDialect(env, machine.apiVersion) === undefined) return;
  // It may be about a deletion, and must not come after what that waits for.
  await env.store.schedule({ machine, at: env.clock.now(), failures: 0, isOfDeletion: true });
}

/** Facts are for others; that they were not taken says nothing of the Machine. */
const isWorthALook = ({ kind, status }: DeadLetter): boolean =>
  (kind === 'in' || kind === 'command') && status !== malformed;
