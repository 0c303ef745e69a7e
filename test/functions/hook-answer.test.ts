import { describe, expect, test } from 'vitest';
import { hookAnswer } from '../../functions/hook-answer.ts';
import type { HookAnswer } from '../../shared/machine/hook-call.ts';
import { type HookTurn, tokenOf } from '../../shared/runtime/hook-token.ts';
import { countedMetrics } from '../builders/observed.ts';
import { aCommand, aWorld } from '../builders/world.ts';

const { machine } = aCommand();
const key = 'a key of this test';
const turn: HookTurn = {
  machine,
  hook: 'uid-of-move-data',
  place: 'PreDrain',
  begin: 1_767_261_600_000,
  seq: 3,
};
const token = tokenOf(turn, key);

/** A world whose instance has the key of tokens. */
function keyed() {
  const world = aWorld();
  const { metrics, counted } = countedMetrics();
  const hooks = { key: async () => key, send: async () => undefined };
  const env = { ...world.env, metrics, hooks };
  const answer = (parts: Partial<HookAnswer> = {}) =>
    hookAnswer(env, { answerTo: token, state: 'Working', ...parts });
  return { ...world, env, counted, answer };
}

test('an answer is remembered, and the Machine is looked at by where it was asked', async () => {
  const { answer, env, counted } = keyed();
  const command = await answer({ message: 'moving', retryAfterSeconds: 60 });
  expect(command).toEqual({ machine, phase: 'pre-drain', seq: 3, isAnswer: true });
  expect(counted).toEqual(['hookAnswers state=Working']);
  expect(await env.store.hookRecords(machine.uid)).toEqual([
    {
      hook: 'uid-of-move-data',
      begin: turn.begin,
      answer: { state: 'Working', message: 'moving', at: env.clock.now(), retryAfterSeconds: 60 },
    },
  ]);
});

test('the same words again are a sign of life: nothing is read for them', async () => {
  const { answer, management } = keyed();
  await answer({ message: 'moving' });
  expect(await answer({ message: 'moving' })).toBeUndefined();
  expect(await answer({ message: 'moving more' })).toBeDefined();
  expect(management.reads).toEqual([]);
});

test('Done is looked at each time it comes, and stays', async () => {
  const { answer, env } = keyed();
  await answer({ state: 'Done' });
  expect(await answer({ state: 'Done' })).toBeDefined();
  await answer({ state: 'Working' });
  const [record] = await env.store.hookRecords(machine.uid);
  expect(record?.answer?.state).toBe('Done');
});

describe('what is no answer of a turn', () => {
  test.each<[what: string, answerTo: string]>([
    ['a forged token', 'forged.token'],
    ['a token of another key', tokenOf(turn, 'another key')],
    [
      'a token for a Machine of an API that is not looked after',
      tokenOf({ ...turn, machine: { ...machine, apiVersion: 'example.test/v1' } }, key),
    ],
  ])('%s changes nothing, and is never told', async (_what, answerTo) => {
    const { answer, env, counted, said } = keyed();
    expect(await answer({ answerTo, state: 'Done' })).toBeUndefined();
    expect(await env.store.hookRecords(machine.uid)).toEqual([]);
    expect(counted).toEqual(['hookAnswers state=refused']);
    expect(said).toEqual(['Answer of a hook function does not count']);
  });

  test('any, where there is no key', async () => {
    const world = aWorld();
    expect(await hookAnswer(world.env, { answerTo: token, state: 'Done' })).toBeUndefined();
  });
});
