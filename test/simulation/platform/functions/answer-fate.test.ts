import { expect, test } from 'vitest';
import { tokenOf, turnOf } from '../../../../shared/runtime/hook-token.ts';
import { type Falsehood, falsehoods, sent } from './answer-fate.ts';

const key = 'a key';
const machine = (uid: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace: 'fleet',
  name: 'm',
  uid,
});
const turn = { machine: machine('u1'), hook: 'h1', place: 'PreDrain', begin: 1, seq: 0 } as const;
const own = tokenOf(turn, key);
const other = tokenOf({ ...turn, machine: machine('u2') }, key);

const event = {
  attributes: { id: 'a1', type: 'dev.phaseout.hook.answer.v1', source: '/functions/f', answerto: own },
  data: Buffer.from('{"state":"Working"}'),
};

const falsely = (what: Falsehood, token = '') => {
  const { reply, later } = sent({ falsely: what, token }, event, 3);
  expect(later).toEqual([]);
  return reply;
};

test('an answer is the reply', () => {
  expect(sent('is the reply', event, 1)).toEqual({ reply: event, later: [] });
});

test('an answer that is lost never comes', () => {
  expect(sent('is lost', event, 1)).toEqual({ later: [] });
});

test('an answer that is late comes by itself', () => {
  expect(sent({ delayMilliseconds: 500 }, event, 1)).toEqual({ later: [{ event, milliseconds: 500 }] });
});

test('an answer that comes again is the reply too', () => {
  expect(sent({ again: 2, withinMilliseconds: 100 }, event, 1)).toEqual({
    reply: event,
    later: [
      { event, milliseconds: 50 },
      { event, milliseconds: 100 },
    ],
  });
});

test.each(falsehoods)('a false answer says Done, and does not count: %s', (what) => {
  for (const token of ['', other]) {
    const { attributes = {}, data = new Uint8Array() } = falsely(what, token) ?? {};
    const { state } = JSON.parse(Buffer.from(data).toString());
    const isProven = turnOf(attributes['answerto'] ?? '', key) !== undefined;
    const counts = attributes['type'] === event.attributes.type && state === 'Done' && isProven;
    expect([String(state).toLowerCase(), attributes['id'], counts]).toEqual([
      'done',
      'false-answer-3',
      false,
    ]);
  }
});

test('a false answer may have the proof or the turn of another one', () => {
  const [otherTurn, otherProof] = other.split('.');
  const [ownTurn, ownProof] = own.split('.');
  expect(falsely('the proof of another turn', other)?.attributes['answerto']).toBe(
    `${ownTurn}.${otherProof}`,
  );
  expect(falsely('another turn under its proof', other)?.attributes['answerto']).toBe(
    `${otherTurn}.${ownProof}`,
  );
});
