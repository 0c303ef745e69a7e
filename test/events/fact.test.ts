import { describe, expect, test } from 'vitest';
import { advance } from '../../events/advance.ts';
import { factEvent } from '../../events/fact.ts';
import { parseEvent } from '../../events/types.ts';
import type { Fact } from '../../shared/machine/messages.ts';
import { about, examples, machine, pod, time } from './examples.ts';

const later = time + 60_000;
const uid = 'af06f518-e44a-42dc-a686-cb100956ef7b';

describe('ids', () => {
  test('a command is named by Machine, phase and checkpoint', () => {
    expect(advance(about, time).id).toBe(`${uid}/drain/2`);
    expect(advance({ ...about, seq: 3 }, time).id).toBe(`${uid}/drain/3`);
  });

  test('a command said again later, of a newer Machine, is the same command', () => {
    expect(advance({ ...about, resourceVersion: '9' }, later).id).toBe(advance(about, time).id);
  });

  const blocked: Fact = {
    kind: 'blocked',
    ...about,
    reason: 'DrainingNode',
    message: 'one Pod left',
  };
  const refused: Fact = { kind: 'pod-refused', ...about, pod, cause: 'Throttled', text: 'slow down' };
  const waiting: Fact = {
    kind: 'hook-waiting',
    ...about,
    point: 'pre-drain',
    hooks: ['b', 'a'],
    owners: { a: 'x' },
  };

  const unblocked: Fact = {
    kind: 'pod-unblocked',
    ...about,
    pod,
    action: 'Delete',
    policy: 'workers',
    cause: 'BudgetNeverAllows',
    since: '2026-01-01T00:00:25Z',
    message: 'Deleted it: BudgetNeverAllows since 2026-01-01T00:00:25Z',
  };
  const since = '2026-01-01T00:00:30Z';
  const advanced: Fact = {
    kind: 'advanced',
    ...about,
    from: 'hand-over',
    as: 'done',
    message: 'on it goes',
  };
  const stage: Fact = { ...advanced, isFollowed: true };

  const late: Fact = { kind: 'hook-late', ...about, message: 'DeletionHook a asks nothing' };

  const cases: [string, Fact, Fact, 'same' | 'different'][] = [
    ['a fact said again is the same fact', blocked, { ...blocked }, 'same'],
    ['other words are another fact', blocked, { ...blocked, message: 'two Pods left' }, 'different'],
    ['another checkpoint is another fact', blocked, { ...blocked, seq: 3 }, 'different'],
    [
      'another hook that came late is another fact',
      late,
      { ...late, message: 'DeletionHook b asks nothing' },
      'different',
    ],
    ['another Pod is another fact', refused, { ...refused, pod: { ...pod, uid: 'p2' } }, 'different'],
    ['another cause is another fact', refused, { ...refused, cause: 'Failed' }, 'different'],
    [
      'a delete by an instance that knows another time is another fact',
      unblocked,
      { ...unblocked, since, message: `Deleted it: BudgetNeverAllows since ${since}` },
      'different',
    ],
    ['hooks in another order are the same fact', waiting, { ...waiting, hooks: ['a', 'b'] }, 'same'],
    ['hooks of another owner are another fact', waiting, { ...waiting, owners: { a: 'y' } }, 'different'],
    ['fewer hooks are another fact', waiting, { ...waiting, hooks: ['a'] }, 'different'],
    [
      'another stage of a deletion that is followed is another fact',
      stage,
      { ...stage, from: 'drain' },
      'different',
    ],
    ['the hand-over is another fact than what follows', advanced, stage, 'different'],
    [
      'facts of two kinds never share an id',
      { kind: 'started', ...about },
      { kind: 'completed', ...about },
      'different',
    ],
  ];
  test.each(cases)('%s', (_name, one, other, expected) => {
    const isSame = factEvent(one, time).id === factEvent(other, later).id;
    expect(isSame ? 'same' : 'different').toBe(expected);
  });
});

test('a refusal says what its budget says beyond the answer of the API', () => {
  const explanation = 'the Pod is kept by InstanceManager im-a of longhorn.io';
  const refused = { kind: 'pod-refused', ...about, pod, cause: 'BudgetHeldByOperator', text: 'no' } as const;
  expect(factEvent({ ...refused, explanation }, time).data).toMatchObject({
    cause: 'BudgetHeldByOperator',
    message: 'no',
    explanation,
  });
  expect(factEvent(refused, time).data).not.toHaveProperty('explanation');
});

test('an event carries what the contract names and nothing else that a caller held', () => {
  const held = { ...machine, secret: 'x' };
  expect(factEvent({ kind: 'pod-evicted', ...about, machine: held, pod }, time)).toEqual({
    specversion: '1.0',
    id: `${uid}/drain/2/pod-evicted/0d8b8a3e-2f1c-4a55-9f3b-6f0e3f2f5a11`,
    source: '/phaseout/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/worker-7',
    type: 'dev.phaseout.pod.evicted.v1',
    subject: '/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/worker-7',
    time: '2026-11-20T10:35:41.000Z',
    datacontenttype: 'application/json',
    phase: 'drain',
    partitionkey: uid,
    data: { machine, phase: 'drain', seq: 2, pod },
  });
});

describe('parsing', () => {
  const command = examples['dev.phaseout.deletion.advance.v1'];
  const types = ['dev.phaseout.deletion.advance.v1', 'dev.knative.apiserver.resource.update'] as const;

  const cases: [string, object, string, string][] = [
    ['a type nobody knows', { type: 'dev.else' }, 'type', '"dev.else" is not taken here, only '],
    ['a type that is not for here', { type: 'dev.knative.sources.ping' }, 'type', 'is not taken here'],
    [
      'a source in the wrong mode',
      { type: 'dev.knative.apiserver.ref.add' },
      'type',
      'must have mode Resource',
    ],
    ['a phase nobody knows', { phase: 'drian' }, 'phase', 'Invalid option'],
    ['no data', { data: undefined }, 'data', 'expected object'],
    ['data without its Machine', { data: { phase: 'drain', seq: 2 } }, 'data.machine', 'expected object'],
    [
      'a UID that no table could have as a key',
      {
        data: {
          machine: { apiVersion: 'a/v1', namespace: 'n', name: 'm', uid: 'u'.repeat(129) },
          phase: 'drain',
          seq: 2,
        },
      },
      'data.machine.uid',
      'Too big',
    ],
    ['a time that is none', { time: 'yesterday' }, 'time', 'Invalid ISO datetime'],
  ];
  test.each(cases)('%s is named', (_name, change, field, why) => {
    const reading = parseEvent({ ...command, ...change }, types);
    expect(reading).toMatchObject({ kind: 'malformed', field });
    expect(reading).toHaveProperty('why', expect.stringContaining(why));
  });

  const tooLong = 'm'.repeat(254);
  const update = examples['dev.knative.apiserver.resource.update'];
  const metadata = { namespace: 'fleet', name: 'worker-7', uid, resourceVersion: '7' };
  const object = { apiVersion: machine.apiVersion, kind: 'Machine', metadata };

  test.each(['apiVersion', 'namespace', 'name'])(
    'a command about a longer %s than any is refused',
    (field) => {
      const data = { ...about, machine: { ...machine, [field]: tooLong } };
      const reading = parseEvent({ ...command, data }, types);
      expect(reading).toMatchObject({ kind: 'malformed', field: `data.machine.${field}` });
    },
  );

  test.each<[string, object]>([
    ['apiVersion', { ...object, apiVersion: tooLong }],
    ['metadata.namespace', { ...object, metadata: { ...metadata, namespace: tooLong } }],
    ['metadata.name', { ...object, metadata: { ...metadata, name: tooLong } }],
  ])('and so is an object with a longer %s', (field, data) => {
    expect(parseEvent({ ...update, data }, types)).toMatchObject({
      kind: 'malformed',
      field: `data.${field}`,
    });
  });

  test('attributes that a broker adds do no harm', () => {
    const reading = parseEvent({ ...command, knativearrivaltime: '2026-11-20T10:35:42Z' }, types);
    expect(reading).toEqual({ kind: 'event', event: command });
  });
});

test.each([
  ['is said by none of the hooks', {}, {}],
  ['is said by one hook', { a: 'x' }, { owners: { a: 'x' } }],
  ['belongs to no hook that holds', { gone: 'y' }, {}],
])('an owner that %s', (_where, owners, told) => {
  const fact: Fact = {
    kind: 'hook-waiting',
    ...about,
    point: 'pre-drain',
    hooks: ['b', 'a'],
    owners,
  };
  expect(factEvent(fact, time).data).toEqual({ ...about, point: 'pre-drain', hooks: ['a', 'b'], ...told });
});
