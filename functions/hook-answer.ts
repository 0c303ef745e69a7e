import { rememberHook, withRemembered } from '../shared/cache/hook-records.ts';
import { type HookAnswer, pointOf } from '../shared/machine/hook-call.ts';
import { type HookRecord, turnKey } from '../shared/machine/hook-record.ts';
import type { Advance } from '../shared/machine/messages.ts';
import { isTurnOfOurs } from '../shared/read/machine.ts';
import type { Environment } from '../shared/runtime/environment.ts';
import { turnOf } from '../shared/runtime/hook-token.ts';

/**
 * Takes what the function of a DeletionHook answers. Only the token of a turn makes an answer count. It is remembered.
 * The next look at the Machine goes by it, and ends the turn with a conditional write. That look follows at once where
 * the answer is Done or says something new.
 */
export async function hookAnswer(env: Environment, answer: HookAnswer): Promise<Advance | undefined> {
  const key = await env.hooks?.key();
  const turn = key === undefined ? undefined : turnOf(answer.answerTo, key);
  if (turn === undefined || !isTurnOfOurs(env, turn)) {
    env.metrics.count('hookAnswers', { state: 'refused' });
    env.log.warn('Answer of a hook function does not count', { why: 'it has the token of no turn' });
    return undefined;
  }
  const { state, message, retryAfterSeconds } = answer;
  env.metrics.count('hookAnswers', { state });
  const { machine, hook, begin, place, seq } = turn;
  const heard = {
    state,
    at: env.clock.now(),
    ...(message !== undefined && { message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  const record: HookRecord = { hook, begin, answer: heard };
  const stored = await env.store.hookRecords(machine.uid);
  const before = withRemembered(env.cache, machine.uid, stored).find(
    (each) => turnKey(each) === turnKey(record),
  );
  rememberHook(env.cache, machine.uid, record);
  await env.store.recordHook(machine, record);
  const isSame = before?.answer?.state === state && before.answer.message === message;
  if (isSame && state !== 'Done') return undefined;
  return { machine, phase: pointOf[place], seq, isAnswer: true };
}
