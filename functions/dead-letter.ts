import { rememberHook } from '../shared/cache/hook-records.ts';
import { readOr } from '../shared/kubernetes/errors.ts';
import type { HookRecord } from '../shared/machine/hook-record.ts';
import type { DeadLetter } from '../shared/machine/messages.ts';
import { isTurnOfOurs, knownDialect } from '../shared/read/machine.ts';
import type { Environment } from '../shared/runtime/environment.ts';
import { turnOf } from '../shared/runtime/hook-token.ts';
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
  await rememberGivenUp(env, letter);
  if (machine === undefined || !isWorthALook(letter)) return;
  if (knownDialect(env, machine.apiVersion) === undefined) return;
  // It may be about a deletion. A deletion's look goes before those of living Machines.
  await env.store.schedule({ machine, at: env.clock.now(), failures: 0, isOfDeletion: true });
}

/** A call that did not come through says why its function is silent. Only one that phaseout has sent tells. */
async function rememberGivenUp(env: Environment, { answerTo, status }: DeadLetter): Promise<void> {
  if (answerTo === undefined) return;
  // Without the key nothing tells whose call it was, and another delivery would tell no more.
  const key = await readOr(undefined, async () => env.hooks?.key());
  const turn = key === undefined ? undefined : turnOf(answerTo, key);
  if (turn === undefined || !isTurnOfOurs(env, turn)) return;
  const { machine, hook, begin } = turn;
  const givenUp = { at: env.clock.now(), ...(status !== undefined && { status }) };
  const record: HookRecord = { hook, begin, givenUp };
  rememberHook(env.cache, machine.uid, record);
  await env.store.recordHook(machine, record);
}

/** Facts are for others. A lost fact needs no look at the Machine. */
const isWorthALook = ({ kind, status }: DeadLetter): boolean =>
  (kind === 'in' || kind === 'command') && status !== malformed;
