import { expect, test } from 'vitest';
import {
  aCall,
  aHook,
  callFunction,
  nowIn,
  ofOther,
  openWithFunctions,
  tellTurns,
} from './asked-functions.ts';
import { doneEndsTheTurn } from './done-ends-the-turn.ts';
import { hookFunctionsAreAsked } from './hook-functions-are-asked.ts';
import type { Stage } from './stage.ts';

const hooks = [aHook('move-data')];
const asks = 'the function of fleet/move-data is asked about';

/** Its turn begins now. */
function begin(stage: Stage, name = 'move-data'): string {
  const begins = nowIn(stage);
  tellTurns(stage, [{ name, begin: begins }]);
  return begins;
}

test.each([
  ['in the slot of now', 0, 1, []],
  ['in the third slot', 25, 3, []],
  ['in a slot that is over', 25, 2, [`${asks} Machine fleet/m1: slot 2 is not now`]],
  ['in a slot to come', 5, 2, [`${asks} Machine fleet/m1: slot 2 is not now`]],
])('a function is asked %s', async (_when, seconds, attempt, cries) => {
  const stage = await openWithFunctions(hookFunctionsAreAsked, hooks);
  const begins = begin(stage);
  await stage.pass(seconds * 1_000);
  callFunction(stage, { begins, attempt });
  expect(stage.cries).toEqual(cries);
});

test('a slot has one call', async () => {
  const stage = await openWithFunctions(hookFunctionsAreAsked, hooks);
  const begins = begin(stage);
  for (const attempt of [1, 1]) callFunction(stage, { begins, attempt });
  expect(stage.cries).toEqual([`${asks} Machine fleet/m1: slot 1 has had its call`]);
});

test('a slot may have two calls, where a fault has come between', async () => {
  const stage = await openWithFunctions(hookFunctionsAreAsked, hooks);
  const begins = begin(stage);
  callFunction(stage, { begins });
  stage.observer.hit?.('store-emptied', [], undefined);
  callFunction(stage, { begins });
  expect(stage.cries).toEqual([]);
});

test.each<[string, (stage: Stage) => void, string]>([
  [
    'before its turn is saved',
    (stage) => callFunction(stage),
    'Machine fleet/m1: the begin of its turn is not saved',
  ],
  [
    'in a turn whose save was refused',
    (stage) => {
      tellTurns(stage, [{ name: 'move-data', begin: nowIn(stage) }], 409);
      callFunction(stage);
    },
    'Machine fleet/m1: the begin of its turn is not saved',
  ],
  [
    'about a Machine that lives',
    (stage) => callFunction(stage, ofOther(stage)),
    'Machine fleet/m2: the Machine lives',
  ],
  [
    'about a Machine that phaseout is not there for',
    (stage) => callFunction(stage, { uid: 'another' }),
    'a Machine: phaseout is not there for it',
  ],
])('a function is asked %s', async (_what, act, why) => {
  const stage = await openWithFunctions(hookFunctionsAreAsked, hooks);
  act(stage);
  expect(stage.cries).toEqual([`${asks} ${why}`]);
});

test('a function is asked about a Machine that its DeletionHook does not select', async () => {
  const machines = [{ selector: { matchLabels: { pool: 'b' } } }];
  const stage = await openWithFunctions(hookFunctionsAreAsked, [aHook('move-data', { machines })]);
  begin(stage);
  callFunction(stage);
  expect(stage.cries).toEqual([`${asks} Machine fleet/m1: it does not select the Machine`]);
});

test('a function is asked where phaseout only watches', async () => {
  const stage = await openWithFunctions(hookFunctionsAreAsked, hooks);
  const mode = { capi: 'observe', openshift: 'observe', v1alpha1: 'observe' } as const;
  stage.world.config = { ...stage.world.config, mode };
  callFunction(stage);
  expect(stage.cries).toEqual([`${asks} Machine fleet/m1: phaseout only watches`]);
});

const waits = 'Machine fleet/m1 still waits for the function of fleet/move-data, which is done';

test.each([
  ['goes on at once', true, 20, []],
  ['waits for long', false, 20, [waits]],
  ['has waited for a moment', false, 5, []],
])('a Machine whose function is done %s', async (_what, isEnded, seconds, cries) => {
  const stage = await openWithFunctions(doneEndsTheTurn, hooks);
  const begins = begin(stage);
  const call = aCall(stage, { begins });
  stage.observer.replied?.(answer('Done'), call);
  if (isEnded) tellTurns(stage, [{ name: 'move-data', begin: begins, end: 'Done' }]);
  await stage.pass(seconds * 1_000);
  stage.tell('dev.knative.sources.ping', 'tick', {});
  expect(stage.cries).toEqual(cries);
});

test('a Machine whose function works may wait', async () => {
  const stage = await openWithFunctions(doneEndsTheTurn, hooks);
  const begins = begin(stage);
  stage.observer.replied?.(answer('Working'), aCall(stage, { begins }));
  await stage.pass(20_000);
  stage.tell('dev.knative.sources.ping', 'tick', {});
  expect(stage.cries).toEqual([]);
});

const answer = (state: string) => ({
  attributes: { type: 'dev.phaseout.hook.answer.v1', id: 'answer-1' },
  data: Buffer.from(JSON.stringify({ state })),
});
