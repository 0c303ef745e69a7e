import { describe, expect, test } from 'vitest';
import type { CloudEvent } from '../../events/envelope.ts';
import { hookAnswer } from '../../events/hook-answer.ts';
import { hookCall } from '../../events/hook-call.ts';
import { readHookAnswer } from '../../events/read-hook-answer.ts';
import { parseEvent } from '../../events/types.ts';
import { call, examples, time } from './examples.ts';

const { answerTo } = call;
const sent = examples['dev.phaseout.hook.answer.v1'];
const withData = (data: unknown): CloudEvent => ({ ...sent, data });

test('an answer is read as its function made it', () => {
  const answer = { answerTo, state: 'Failed', message: 'no quorum', retryAfterSeconds: 90 } as const;
  const event = hookAnswer(answer, { id: '1', source: '/osd', time });
  expect(readHookAnswer(event)).toEqual({ kind: 'answer', answer, notes: [] });
});

test.each(['Done', 'Working', 'Failed'])('an answer may be %s and no more', (state) => {
  expect(readHookAnswer(withData({ state }))).toEqual({
    kind: 'answer',
    answer: { answerTo, state },
    notes: [],
  });
});

describe('no answer is', () => {
  test.each<[string, CloudEvent | undefined, string]>([
    ['an empty 200', undefined, 'there is no event in it'],
    [
      'another type',
      { ...sent, type: 'dev.phaseout.hook.call.v1' },
      'its type is "dev.phaseout.hook.call.v1", not dev.phaseout.hook.answer.v1',
    ],
    ['one without the token', { ...sent, answerto: undefined }, 'it has no attribute answerto'],
    ['one with an empty token', { ...sent, answerto: '' }, 'its attribute answerto is no token'],
    ['one with a token of two lines', { ...sent, answerto: 'a\nb' }, 'its attribute answerto is no token'],
    [
      'one with an endless token',
      { ...sent, answerto: 'a'.repeat(4_097) },
      'its attribute answerto is no token',
    ],
    ['one without data', withData(undefined), 'its data are no JSON object'],
    ['a text', withData('Done'), 'its data are no JSON object'],
    ['a list', withData(['Done']), 'its data are no JSON object'],
    ['{}', withData({}), 'state is missing, not Done, Working, Failed'],
    ['an unknown state', withData({ state: 'Finished' }), 'state is "Finished", not Done, Working, Failed'],
    ['a state in other letters', withData({ state: 'done' }), 'state is "done", not Done, Working, Failed'],
    ['a state with a space', withData({ state: 'Done ' }), 'state is "Done ", not Done, Working, Failed'],
    ['a flag', withData({ state: true }), 'state is true, not Done, Working, Failed'],
    ['a list of states', withData({ state: ['Done'] }), 'state is ["Done"], not Done, Working, Failed'],
    [
      'a state without end',
      withData({ state: 'x'.repeat(100) }),
      `state is "${'x'.repeat(60)}..., not Done, Working, Failed`,
    ],
  ])('%s', (_what, event, why) => {
    expect(readHookAnswer(event)).toEqual({ kind: 'none', why });
  });
});

const noText = 'message is 7, not text: left out';
const controls = 'message has control characters: left out';
const tooLong = 'message is longer than 1024 bytes: cut off';

test.each<[string, unknown, string | undefined, string[]]>([
  ['text', 'moving 3 shards', 'moving 3 shards', []],
  ['text of other languages', 'größer 🧊', 'größer 🧊', []],
  ['markup, which stays text', '<b>x</b>', '<b>x</b>', []],
  ['missing', undefined, undefined, []],
  ['null', null, undefined, []],
  ['empty', '', undefined, []],
  ['spaces', '  ', undefined, []],
  ['a number', 7, undefined, [noText]],
  ['several lines', 'one\r\ntwo', 'one two', [controls]],
  ['colours of a terminal', '\u001b[31mred', '[31mred', [controls]],
  ['text that turns round', 'a\u202eb', 'ab', [controls]],
  ['half a character', 'a\ud83d', 'a\ufffd', [controls]],
  ['1024 bytes', 'x'.repeat(1_024), 'x'.repeat(1_024), []],
  ['1025 bytes', 'x'.repeat(1_025), `${'x'.repeat(1_021)}...`, [tooLong]],
  ['1026 bytes in 513 characters', 'ü'.repeat(513), `${'ü'.repeat(510)}...`, [tooLong]],
])('a message that is %s', (_what, message, read, notes) => {
  expect(readHookAnswer(withData({ state: 'Working', message }))).toEqual({
    kind: 'answer',
    answer: { answerTo, state: 'Working', ...(read !== undefined && { message: read }) },
    notes,
  });
});

const clamped = (from: number, to: number): string[] => [
  `retryAfter is ${from}, not whole seconds from 1 to 3600: ${to} counts`,
];
const noNumber = (shown: string): string[] => [`retryAfter is ${shown}, not a number: left out`];

test.each<[unknown, number | undefined, string[]]>([
  [1, 1, []],
  [3_600, 3_600, []],
  [undefined, undefined, []],
  [null, undefined, []],
  [0, 1, clamped(0, 1)],
  [-5, 1, clamped(-5, 1)],
  [1.2, 2, clamped(1.2, 2)],
  [3_601, 3_600, clamped(3_601, 3_600)],
  [1e300, 3_600, ['retryAfter is 1e+300, not whole seconds from 1 to 3600: 3600 counts']],
  ['60', undefined, noNumber('"60"')],
  [true, undefined, noNumber('true')],
  [{}, undefined, noNumber('{}')],
])('retryAfter %j counts as %s seconds', (retryAfter, retryAfterSeconds, notes) => {
  expect(readHookAnswer(withData({ state: 'Working', retryAfter }))).toEqual({
    kind: 'answer',
    answer: { answerTo, state: 'Working', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
    notes,
  });
});

describe('a call', () => {
  test('says no more than is known', () => {
    const { node: _, cluster: __, deadline: ___, lastMessage: ____, ...known } = call;
    const event = hookCall(known, time);
    expect(Object.keys(event.data)).toEqual(['hook', 'place', 'machine', 'begins', 'attempt']);
    expect(parseEvent(event, ['dev.phaseout.hook.call.v1'])).toEqual({ kind: 'event', event });
  });

  test('carries nothing else that a caller held', () => {
    const held = { ...call, machine: { ...call.machine, secret: 'x' }, node: { ...call.node, secret: 'x' } };
    expect(hookCall(held, time)).toEqual(examples['dev.phaseout.hook.call.v1']);
  });

  test('belongs to the trace of its deletion', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(hookCall({ ...call, trace: { traceparent } }, time).traceparent).toBe(traceparent);
  });
});
