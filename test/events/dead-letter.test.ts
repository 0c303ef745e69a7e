import { describe, expect, test } from 'vitest';
import { givenUp } from '../../events/dead-letter.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import { namedMachine, namedTrace } from '../../events/machine-of-event.ts';
import { examples, machine } from './examples.ts';

const context = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const foreign: CloudEvent = { specversion: '1.0', id: '1', source: 's', type: 'com.example.thing' };

describe('what the Broker gave up', () => {
  test('is read with who did not take it, and why', () => {
    const event = {
      ...examples['dev.phaseout.deletion.advance.v1'],
      knativeerrordest: 'http://phaseout.phaseout.svc.cluster.local/drain',
      knativeerrorcode: '503',
      knativeerrordata: base64('GET nodes/n of https://1.2.3.4: no answer within 10 s'),
    };
    expect(givenUp(event)).toEqual({
      id: 'af06f518-e44a-42dc-a686-cb100956ef7b/drain/2',
      type: 'dev.phaseout.deletion.advance.v1',
      source: '/phaseout/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/worker-7',
      kind: 'command',
      destination: 'http://phaseout.phaseout.svc.cluster.local/drain',
      status: 503,
      answer: 'GET nodes/n of https://1.2.3.4: no answer within 10 s',
      machine,
    });
  });

  test('is read without them, which is what a success with a strange body leaves', () => {
    expect(givenUp(foreign)).toEqual({
      id: '1',
      type: 'com.example.thing',
      source: 's',
      kind: 'other',
      destination: undefined,
      status: undefined,
      answer: undefined,
      machine: undefined,
    });
  });

  test.each<[string, unknown, number | undefined]>([
    ['a text', '404', 404],
    ['empty', '', undefined],
    ['no status', 'oops', undefined],
    ['no status of HTTP', '1000', undefined],
  ])('has a status that is %s', (_what, knativeerrorcode, expected) => {
    expect(givenUp({ ...foreign, knativeerrorcode }).status).toBe(expected);
  });

  test('was cut off in the midst of a character without harm', () => {
    const cut = Buffer.from('Größe').subarray(0, 3).toString('base64');
    expect(givenUp({ ...foreign, knativeerrordata: cut }).answer).toBe('Gr\uFFFD');
  });

  test.each([
    ['dev.knative.apiserver.resource.update', 'in'],
    ['dev.knative.sources.ping', 'in'],
    ['dev.phaseout.deletion.advance.v1', 'command'],
    ['dev.phaseout.deletion.started.v1', 'fact'],
    ['dev.phaseout.hook.call.v1', 'hook'],
    ['dev.phaseout.hook.answer.v1', 'hook'],
    ['constructor', 'other'],
  ])('of type %s is of kind %s', (type, kind) => {
    expect(givenUp({ ...foreign, type }).kind).toBe(kind);
  });
});

const tooLong = 'u'.repeat(129);

describe('the Machine that an event names', () => {
  test.each(Object.values(examples).map((event) => [event.type, event] as const))('in %s', (type, event) => {
    // A tick is about none. An answer names its turn only by the token.
    const isNone = type === 'dev.knative.sources.ping' || type === 'dev.phaseout.hook.answer.v1';
    expect(namedMachine(event)?.name).toBe(isNone ? undefined : 'worker-7');
  });

  test.each([
    ['no data', undefined],
    ['data that are no object', 'text'],
    ['an object of another kind', { apiVersion: 'v1', kind: 'Pod', metadata: { ...machine } }],
    [
      'a Machine without a UID',
      { apiVersion: 'a/v1', kind: 'Machine', metadata: { namespace: 'n', name: 'm' } },
    ],
    ['a command about a UID that no table could have as a key', { machine: { ...machine, uid: tooLong } }],
    [
      'a Machine with one',
      { apiVersion: 'a/v1', kind: 'Machine', metadata: { namespace: 'n', name: 'm', uid: tooLong } },
    ],
  ])('is none in %s', (_what, data) => {
    expect(namedMachine({ data })).toBeUndefined();
  });

  test.each<[number, boolean]>([
    [253, true],
    [254, false],
  ])('may have names of %i characters: %s', (length, isTaken) => {
    const long = 'm'.repeat(length);
    for (const field of ['apiVersion', 'namespace', 'name']) {
      const ref = { ...machine, [field]: long };
      const { apiVersion, ...metadata } = ref;
      const taken = [{ machine: ref }, { apiVersion, kind: 'Machine', metadata }];
      expect(taken.map((data) => namedMachine({ data }))).toEqual(
        isTaken ? [ref, ref] : [undefined, undefined],
      );
    }
  });
});

describe('the trace that an event belongs to', () => {
  const annotated = { metadata: { annotations: { 'phaseout.dev/trace': context } } };

  test.each<[string, Partial<CloudEvent>, string | undefined]>([
    ['its own', { traceparent: context, data: { metadata: {} } }, context],
    ["that of the Machine's deletion", { data: annotated }, context],
    [
      "that of the Machine's deletion, where its own cannot be read",
      { traceparent: '?', data: annotated },
      context,
    ],
    ['none', { data: { metadata: { annotations: {} } } }, undefined],
  ])('is %s', (_what, event, expected) => {
    expect(namedTrace({ ...foreign, ...event })?.traceparent).toBe(expected);
  });
});
