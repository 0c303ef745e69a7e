import { describe, expect, test } from 'vitest';
import { callId, type HookTurn, tokenOf, turnOf } from '../../../shared/runtime/hook-token.ts';

const turn: HookTurn = {
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'worker-1', uid: 'uid-1' },
  hook: 'uid-of-take-out-osd',
  place: 'PreTerminate',
  begin: 1_767_261_600_000,
  seq: 4,
};
const key = 'a key of this test';

test('a token is proof of its turn', () => {
  expect(turnOf(tokenOf(turn, key), key)).toEqual(turn);
});

test('a token fits into a header', () => {
  expect(tokenOf(turn, key)).toMatch(/^[\w.~-]{1,4096}$/);
});

describe('no proof is', () => {
  const [text = '', proof = ''] = tokenOf(turn, key).split('.');
  const another = tokenOf({ ...turn, hook: 'uid-of-another' }, key).split('.');
  test.each([
    ['an empty text', ''],
    ['the turn alone', text],
    ['the turn with an empty proof', `${text}.`],
    ['a token of another key', tokenOf(turn, 'another key')],
    ['the proof of another turn', `${text}.${another[1]}`],
    ['another turn with this proof', `${another[0]}.${proof}`],
    ['a token with more behind it', `${text}.${proof}.x`],
    ['a proof that is cut off', `${text}.${proof.slice(0, -1)}`],
  ])('%s', (_what, token) => {
    expect(turnOf(token, key)).toBeUndefined();
  });
});

describe('the ID of a call', () => {
  const id = callId(turn, 2);
  test('is the same for a repeat', () => {
    expect(callId({ ...turn, seq: 9 }, 2)).toBe(id);
  });

  test.each<[of: string, other: string]>([
    ['another slot', callId(turn, 3)],
    ['another beginning', callId({ ...turn, begin: turn.begin + 1 }, 2)],
    ['another DeletionHook', callId({ ...turn, hook: 'uid-of-another' }, 2)],
    ['another place', callId({ ...turn, place: 'PreDrain' }, 2)],
    ['another Machine', callId({ ...turn, machine: { ...turn.machine, uid: 'uid-2' } }, 2)],
  ])('is another one for %s', (_of, other) => {
    expect(other).not.toBe(id);
  });
});
