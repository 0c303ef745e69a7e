import { describe, expect, test } from 'vitest';
import { deadLetter } from '../../functions/dead-letter.ts';
import type { DeadLetter } from '../../shared/machine/messages.ts';
import { tokenOf } from '../../shared/runtime/hook-token.ts';
import { after } from '../builders/cluster-api.ts';
import { countedMetrics } from '../builders/observed.ts';
import { aCommand, aWorld } from '../builders/world.ts';

const { machine } = aCommand();

const letter = (parts: Partial<DeadLetter> = {}): DeadLetter => ({
  id: '1',
  type: 'dev.phaseout.deletion.advance.v1',
  source: '/phaseout',
  kind: 'command',
  destination: 'http://phaseout/drain',
  status: 503,
  answer: 'no answer within 10 s',
  machine,
  ...parts,
});

async function heard(parts: Partial<DeadLetter>) {
  const world = aWorld();
  const { metrics, counted } = countedMetrics();
  await deadLetter({ ...world.env, metrics }, letter(parts));
  return { counted, said: world.said, due: await world.env.store.due(after(10), 10) };
}

test('what was given up is told and counted, and its Machine is due at once', async () => {
  expect(await heard({})).toEqual({
    counted: ['deadLetters type=dev.phaseout.deletion.advance.v1 code=503'],
    said: ['Event was given up'],
    due: [{ machine, at: after(10), failures: 0, isOfDeletion: true }],
  });
});

test('what its function would not have taken is no loss: nothing is told, counted or due', async () => {
  expect(await heard({ isNoLoss: true })).toEqual({ counted: [], said: [], due: [] });
});

test.each<[string, Partial<DeadLetter>, object]>([
  [
    'with its Machine',
    {},
    {
      Machine: 'default/m-1',
      uid: machine.uid,
      type: 'dev.phaseout.deletion.advance.v1',
      event: '1',
      destination: 'http://phaseout/drain',
      status: 503,
      answer: 'no answer within 10 s',
    },
  ],
  [
    'without one',
    { machine: undefined },
    {
      type: 'dev.phaseout.deletion.advance.v1',
      event: '1',
      destination: 'http://phaseout/drain',
      status: 503,
      answer: 'no answer within 10 s',
    },
  ],
])('the log says which event it was, whose answer and what it was: %s', async (_, parts, expected) => {
  const told: unknown[] = [];
  const { env } = aWorld();
  const log = { ...env.log, warn: (_message: string, fields?: object) => void told.push(fields) };
  await deadLetter({ ...env, log }, letter(parts));
  expect(told).toEqual([expected]);
});

describe('a look is due', () => {
  test.each<[string, Partial<DeadLetter>, boolean]>([
    ['for a change that nobody took in', { kind: 'in', type: 'dev.knative.apiserver.resource.update' }, true],
    ['for one that was too large: the sweep reads the Machine itself', { kind: 'in', status: 413 }, true],
    ['for an answer of which nothing is known', { status: undefined }, true],
    ['not for what we called malformed: it would be so again', { status: 400 }, false],
    ['not for a fact, which was for others', { kind: 'fact' }, false],
    ["not for somebody else's event", { kind: 'other' }, false],
    ['not where no Machine is named', { machine: undefined }, false],
    [
      'not for a Machine of an API that is not looked after',
      { machine: { ...machine, apiVersion: 'machine.openshift.io/v1beta1' } },
      false,
    ],
    [
      'not for a Machine in a version that is not known',
      { machine: { ...machine, apiVersion: 'cluster.x-k8s.io/v1alpha3' } },
      false,
    ],
  ])('%s', async (_what, parts, isDue) => {
    const { due, said } = await heard(parts);
    expect(due).toHaveLength(isDue ? 1 : 0);
    expect(said).toEqual(['Event was given up']);
  });
});

test.each<[string, Partial<DeadLetter>, string]>([
  ['types of others are counted together', { kind: 'other', type: 'com.example.x' }, 'type=other code=503'],
  [
    'and a status that is not told as unknown',
    { kind: 'other', status: undefined },
    'type=other code=unknown',
  ],
])('%s', async (_what, parts, expected) => {
  expect((await heard(parts)).counted).toEqual([`deadLetters ${expected}`]);
});

test('what was due later is due now', async () => {
  const { env } = aWorld();
  await env.store.schedule({ machine, at: after(30), failures: 0, isOfDeletion: true });
  await deadLetter(env, letter());
  expect(await env.store.due(after(10), 10)).toMatchObject([{ machine, at: after(10) }]);
});

describe('a call of a DeletionHook', () => {
  const key = 'a key of this test';
  const turn = {
    machine,
    hook: 'uid-of-move-data',
    place: 'PreDrain',
    begin: 1_767_261_600_000,
    seq: 3,
  } as const;
  const call = { kind: 'hook', type: 'dev.phaseout.hook.call.v1', answerTo: tokenOf(turn, key) } as const;

  /** What is remembered of the Machine's turns, and what is said, counted and due. */
  async function remembered(parts: Partial<DeadLetter>, secret: string | undefined = key) {
    const world = aWorld();
    const hooks = { key: async () => secret, send: async () => undefined };
    const env = { ...world.env, hooks };
    const logged: unknown[] = [];
    const log = { ...env.log, warn: (...line: unknown[]) => void logged.push(line) };
    await deadLetter({ ...env, log }, letter({ ...call, ...parts }));
    return {
      records: await env.store.hookRecords(machine.uid),
      logged,
      due: await env.store.due(after(10), 10),
    };
  }

  test('says what its function answers', async () => {
    const { records, due } = await remembered({ status: 503 });
    expect(records).toEqual([
      { hook: 'uid-of-move-data', begin: turn.begin, givenUp: { at: after(10), status: 503 } },
    ]);
    expect(due).toEqual([]);
  });

  test('says that nothing came back', async () => {
    const { records } = await remembered({ status: undefined });
    expect(records).toMatchObject([{ givenUp: { at: after(10) } }]);
  });

  test.each<[what: string, parts: Partial<DeadLetter>]>([
    ['that somebody else has sent', { answerTo: tokenOf(turn, 'another key') }],
    ['without a token', { answerTo: '' }],
    [
      'of a Machine that is not looked after',
      { answerTo: tokenOf({ ...turn, machine: { ...machine, apiVersion: 'x/v1' } }, key) },
    ],
    ['that its Trigger does not select', { isNoLoss: true }],
  ])('%s says nothing', async (_what, parts) => {
    expect((await remembered(parts)).records).toEqual([]);
  });

  test('has its token in no log', async () => {
    const { logged } = await remembered({});
    expect(logged).not.toEqual([]);
    expect(JSON.stringify(logged)).not.toContain(call.answerTo);
  });
});
