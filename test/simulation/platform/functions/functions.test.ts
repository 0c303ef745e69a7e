import { expect, test } from 'vitest';
import type { AnswerFate } from './answer-fate.ts';
import { HookFunctions } from './functions.ts';
import { type Behaviour, isHeldForEver, secondsOf } from './played.ts';

const spec = {
  at: 'PreDrain',
  order: 0,
  every: '10s',
  silentAfter: '5m',
  onClusterDeletion: 'Proceed',
  controlPlanes: false,
} as const;

function functionsThat(plays: Behaviour, fate: AnswerFate = 'is the reply') {
  return new HookFunctions({
    hooks: [{ namespace: 'fleet', name: 'move-data', spec, plays }],
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    say: () => undefined,
    fate: () => fate,
    slipIn: () => undefined,
  });
}

const call = (uid = 'u1') => ({
  attributes: {
    id: 'c1',
    type: 'dev.phaseout.hook.call.v1',
    hook: 'fleet/move-data',
    answerto: 'turn.proof',
  },
  data: Buffer.from(JSON.stringify({ machine: { uid } })),
});

const stateIn = (body: Uint8Array): string =>
  body.length === 0 ? 'nothing' : JSON.parse(Buffer.from(body).toString()).state;

test.each<[Behaviour, string[]]>([
  [{ until: 'Working', calls: 2 }, ['Working', 'Working', 'Done', 'Done']],
  [{ until: 'Failed', calls: 1 }, ['Failed', 'Done', 'Done', 'Done']],
  [{ until: undefined, calls: 1 }, ['nothing', 'Done', 'Done', 'Done']],
  [{ until: undefined, calls: undefined }, ['nothing', 'nothing', 'nothing', 'nothing']],
  [{ until: 'Working', calls: undefined }, ['Working', 'Working', 'Working', 'Working']],
])('a function that plays %o', (plays, states) => {
  const functions = functionsThat(plays);
  expect(states.map(() => stateIn(functions.take(call()).body))).toEqual(states);
});

test('a function answers as a server of HTTP does, with the token of its call', () => {
  const { status, headers } = functionsThat({ until: undefined, calls: 0 }).take(call());
  expect([status, headers['ce-type'], headers['ce-answerto']]).toEqual([
    200,
    'dev.phaseout.hook.answer.v1',
    'turn.proof',
  ]);
});

test('each Machine has a count of its own, and what was said of it', () => {
  const functions = functionsThat({ until: 'Working', calls: 1 });
  for (const uid of ['u1', 'u2', 'u1']) functions.take(call(uid));
  expect(['u1', 'u2'].map((uid) => functions.hasSaidDone('fleet/move-data', uid))).toEqual([true, false]);
});

test('Done that is lost on its way was said, and Done in a false answer was not', () => {
  const lost = functionsThat({ until: undefined, calls: 0 }, 'is lost');
  const forged = functionsThat({ until: 'Working', calls: 1 }, { falsely: 'no token' });
  for (const functions of [lost, forged]) functions.take(call());
  expect([lost, forged].map((functions) => functions.hasSaidDone('fleet/move-data', 'u1'))).toEqual([
    true,
    false,
  ]);
});

test('whoever gives in is done at once', () => {
  const functions = functionsThat({ until: undefined, calls: undefined });
  functions.giveIn();
  expect(stateIn(functions.take(call()).body)).toBe('Done');
});

test('a call of another function is a mistake of the Broker', () => {
  const { attributes, data } = call();
  const other = { attributes: { ...attributes, hook: 'fleet/wipe' }, data };
  expect(() => functionsThat({ until: undefined, calls: 0 }).take(other)).toThrow(
    'there is no function of fleet/wipe',
  );
});

test.each([
  [{ until: undefined, calls: undefined }, {}, true],
  [{ until: undefined, calls: undefined }, { onTimeout: 'Hold' }, true],
  [{ until: undefined, calls: undefined }, { onTimeout: 'Proceed' }, false],
  [{ until: 'Working', calls: 3 }, {}, false],
] as const)('whether %o with %o holds for ever', (plays, more, isHeld) => {
  expect(isHeldForEver({ plays, spec: { ...spec, ...more } })).toBe(isHeld);
});

test.each([
  ['5s', 5],
  ['1m', 60],
  ['1h2m3s', 3_723],
])('%s is %i seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});
