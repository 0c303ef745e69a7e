import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../../../events/types.ts';
import {
  decodeHeaderValue,
  encodeHeaderValue,
  readCloudEvent,
  toBinary,
} from '../../../../shared/http/cloud-events/cloud-event.ts';
import { examples } from '../../../events/examples.ts';
import { recorded } from '../recording.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/s', 'ce-type': 't' };
const json = { ...binary, 'content-type': 'application/json' };
const structured = { 'content-type': 'application/cloudevents+json' };
const event = { specversion: '1.0', id: '1', source: '/s', type: 't' };

const machine = (name: string, change: 'add' | 'update' | 'delete') =>
  [name, `dev.knative.apiserver.resource.${change}`] as const;
const text = (change: object) => JSON.stringify({ ...event, ...change });

describe('what real senders send', () => {
  const sources = [
    machine('apiserversource/resource/add', 'add'),
    machine('apiserversource/resource/update-deletionTimestamp-set', 'update'),
    machine('apiserversource/resource/update-metadata', 'update'),
    machine('apiserversource/resource/update-status', 'update'),
    machine('apiserversource/resource/delete-final-after-finalizer-removed', 'delete'),
    machine('apiserversource/resource/delete-no-finalizer', 'delete'),
    machine('apiserversource/selector/false-delete-object-left-label-selector', 'delete'),
    machine('apiserversource/v1beta1-allns-owner-ceoverrides/add', 'add'),
    machine('broker/machine-deletionTimestamp-set-as-seen-by-trigger-subscriber', 'update'),
    machine('broker/machine-deleted-as-seen-by-trigger-subscriber', 'delete'),
  ];
  test.each(sources)('%s is a %s', (name, type) => {
    const { headers, body } = recorded(name);
    const reading = parseEvent(readCloudEvent(headers, body), [type]);
    expect(reading).toMatchObject({
      kind: 'event',
      event: { type, kind: 'Machine', data: JSON.parse(new TextDecoder().decode(body)) },
    });
  });

  test('a source in mode Reference is told what is wrong with it', () => {
    const { headers, body } = recorded('apiserversource/reference/add');
    const reading = parseEvent(readCloudEvent(headers, body), ['dev.knative.apiserver.resource.add']);
    expect(reading).toMatchObject({ kind: 'malformed', field: 'type' });
    expect(reading).toHaveProperty('why', expect.stringContaining('must have mode Resource'));
  });

  test('a tick comes through, with the data its author wrote', () => {
    const { headers, body } = recorded('pingsource/minute-tick');
    const tick = readCloudEvent(headers, body);
    expect(tick).toMatchObject({ type: 'dev.knative.sources.ping', data: { tick: 'minute' } });
    expect(parseEvent(tick, ['dev.knative.sources.ping'])).toMatchObject({
      kind: 'malformed',
      field: 'data.sweep',
    });
  });

  test('a broker that delivers structured', () => {
    const { headers, body } = recorded('broker/delivered-structured-format-json');
    expect(readCloudEvent(headers, body)).toEqual({
      specversion: '1.0',
      id: 'x3',
      source: '/test',
      type: 'json',
      datacontenttype: 'application/json',
      data: { a: 1 },
      kind: 'Machine',
      knativearrivaltime: '2026-11-20T10:53:37.131602355Z',
    });
  });
});

describe('what is taken', () => {
  const data = { a: 1 };
  const cases: [string, Record<string, string>, string, object][] = [
    [
      'binary with a charset',
      { ...binary, 'content-type': 'application/json; charset=UTF-8' },
      '{"a":1}',
      { data },
    ],
    [
      'binary with a +json type',
      { ...binary, 'content-type': 'application/vnd.x+json' },
      '{"a":1}',
      { data },
    ],
    [
      'binary with a charset by its other name',
      { ...binary, 'content-type': 'application/json;charset=utf8' },
      '{"a":1}',
      { data },
    ],
    [
      'binary with a charset that is a part of it',
      { ...binary, 'content-type': 'application/json ; charset=us-ascii' },
      '{"a":1}',
      { data },
    ],
    ['binary with no type at all', binary, '{"a":1}', { data }],
    ['binary without data', binary, '', event],
    [
      'structured with a charset',
      { 'content-type': 'Application/CloudEvents+JSON; charset="utf-8"' },
      JSON.stringify({ ...event, data }),
      { ...event, data },
    ],
    [
      'structured with encoded data',
      structured,
      JSON.stringify({ ...event, data_base64: 'eyJhIjoxfQ==' }),
      { ...event, data },
    ],
    [
      'structured with a number and a truth',
      structured,
      JSON.stringify({ ...event, count: 3, isnew: true }),
      { ...event, count: '3', isnew: 'true' },
    ],
    ['structured with nulls', structured, JSON.stringify({ ...event, subject: null, data: null }), event],
    [
      'a percent-encoded header',
      { ...binary, 'ce-subject': 'Gr%C3%BC%C3%9Fe %25' },
      '',
      { subject: 'Grüße %' },
    ],
    [
      'a quoted header of an older sender',
      { ...binary, 'ce-subject': '"a \\"b\\""' },
      '',
      { subject: 'a "b"' },
    ],
    ['a header that ends in quotes', { ...binary, 'ce-subject': 'a "b"' }, '', { subject: 'a "b"' }],
    ['a header that begins with quotes', { ...binary, 'ce-subject': '"a" b' }, '', { subject: '"a" b' }],
    ['a percent sign that begins no code', { ...binary, 'ce-subject': '100%' }, '', { subject: '100%' }],
    [
      'time with nanoseconds and an offset',
      { ...binary, 'ce-time': '2026-11-20T10:35:41.919432201+01:00' },
      '',
      { time: '2026-11-20T10:35:41.919432201+01:00' },
    ],
    [
      'extensions named like methods',
      { ...binary, 'ce-validate': 'a', 'ce-constructor': 'b' },
      '',
      { validate: 'a', constructor: 'b' },
    ],
  ];
  test.each(cases)('%s', (_name, headers, body, expected) => {
    expect(readCloudEvent(headers, bytes(body))).toMatchObject(expected);
  });
});

describe('what is refused names what is wrong', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(json).filter(([key]) => key !== name));
  const cases: [string, Record<string, string>, string | Uint8Array, string][] = [
    ['no event at all', { 'content-type': 'application/json' }, '{}', 'headers: not a CloudEvent'],
    ['binary, no id', without('ce-id'), '{}', 'id: must be there and not empty'],
    ['binary, empty type', { ...json, 'ce-type': '' }, '{}', 'type: must be there and not empty'],
    ['binary, no source', without('ce-source'), '{}', 'source: must be there and not empty'],
    [
      'binary, no specversion',
      without('ce-specversion'),
      '{}',
      'specversion: must be 1.0, and there is none',
    ],
    [
      'binary, specversion 2.0',
      { ...json, 'ce-specversion': '2.0' },
      '{}',
      'specversion: must be 1.0, not "2.0"',
    ],
    [
      'binary, specversion 0.3',
      { ...json, 'ce-specversion': '0.3' },
      '{}',
      'specversion: must be 1.0, not "0.3"',
    ],
    [
      'binary, source no URI',
      { ...json, 'ce-source': 'not%20a%20uri' },
      '{}',
      'source: must match format "uri-reference"',
    ],
    [
      'binary, empty subject',
      { ...json, 'ce-subject': '' },
      '{}',
      'subject: must NOT have fewer than 1 characters',
    ],
    [
      'binary, bad time',
      { ...json, 'ce-time': 'yesterday' },
      '{}',
      'time: must be RFC 3339, not "yesterday"',
    ],
    [
      'binary, time of no calendar',
      { ...json, 'ce-time': '2026-13-20T10:35:41Z' },
      '{}',
      'time: must be RFC 3339',
    ],
    ['binary, name with a dash', { ...json, 'ce-my-name': 'x' }, '{}', 'my-name: names of attributes are'],
    ['binary, an attribute called data', { ...json, 'ce-data': 'x' }, '{}', 'data: cannot be the name'],
    [
      'binary, broken percent-encoding',
      { ...json, 'ce-subject': '%C3%28' },
      '{}',
      'ce-subject: "%C3%28" is not',
    ],
    ['binary, not JSON', json, '{', 'data: not JSON'],
    ['binary, not UTF-8', json, Uint8Array.of(0x22, 0xff, 0x22), 'data: not UTF-8'],
    [
      'binary, data of another type',
      { ...binary, 'content-type': 'text/xml' },
      '<a/>',
      'datacontenttype: "text/xml" is not JSON',
    ],
    [
      'binary, another charset',
      { ...binary, 'content-type': 'application/json; charset=latin1' },
      '{}',
      'content-type: charset latin1 is not taken',
    ],
    [
      'a batch',
      { 'content-type': 'application/cloudevents-batch+json' },
      '[]',
      'content-type: batches are not taken',
    ],
    [
      'another format',
      { 'content-type': 'application/cloudevents+avro' },
      '',
      'content-type: "application/cloudevents+avro" is not taken',
    ],
    ['structured, not JSON', structured, 'x', 'body: not JSON'],
    ['structured, empty', structured, '', 'body: not JSON'],
    ['structured, a list', structured, '[]', 'body: must be a JSON object'],
    ['structured, no id', structured, text({ id: undefined }), 'id: must be there and not empty'],
    [
      'structured, specversion as a number',
      structured,
      text({ specversion: 1 }),
      'specversion: must be 1.0, not "1"',
    ],
    [
      'structured, an object for an attribute',
      structured,
      text({ subject: {} }),
      'subject: must be text, a whole number',
    ],
    [
      'structured, upper case in a name',
      structured,
      text({ partitionKey: 'x' }),
      'partitionKey: names of attributes are',
    ],
    [
      'structured, data twice',
      structured,
      text({ data: {}, data_base64: 'e30=' }),
      'data_base64: cannot be there beside data',
    ],
    [
      'structured, encoded data that are no text',
      structured,
      text({ data_base64: 5 }),
      'data_base64: must be text',
    ],
    [
      'binary, data of a type that only begins or ends like JSON',
      { ...binary, 'content-type': 'application/json5' },
      '{}',
      'datacontenttype: "application/json5" is not JSON',
    ],
    [
      'binary, data of a type with too many parts',
      { ...binary, 'content-type': 'a/b/json' },
      '{}',
      'datacontenttype: "a/b/json" is not JSON',
    ],
    ['structured, damaged base64', structured, text({ data_base64: 'e30' }), 'data_base64: not base64'],
    [
      'structured, encoded data that are not JSON',
      structured,
      text({ data_base64: 'eA==' }),
      'data: not JSON',
    ],
    [
      'structured, data of another type',
      structured,
      text({ datacontenttype: 'text/plain', data: 'x' }),
      'datacontenttype: "text/plain" is not JSON',
    ],
  ];
  test.each(cases)('%s', (_name, headers, body, message) => {
    const read = () => readCloudEvent(headers, typeof body === 'string' ? bytes(body) : body);
    expect(read).toThrow(
      expect.objectContaining({ name: 'MalformedEvent', message: expect.stringContaining(message) }),
    );
  });
});

describe('what is sent', () => {
  test.each(Object.values(examples))('$type comes back as it was', (example) => {
    const { headers, body } = toBinary(example);
    expect(readCloudEvent(headers, bytes(body))).toEqual(example);
  });

  test('headers carry ASCII only, whatever a value holds', () => {
    const said = {
      ...examples['dev.phaseout.deletion.started.v1'],
      subject: '/a "ü" 100%',
      time: '2026-11-20T10:35:41Z',
    };
    expect(toBinary(said).headers).toMatchObject({
      'content-type': 'application/json',
      'ce-subject': '/a%20%22%C3%BC%22%20100%25',
      'ce-time': '2026-11-20T10:35:41.000Z',
    });
  });

  test('any text survives the way through a header, and the header is printable ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const header = encodeHeaderValue(value);
        expect(header).toMatch(/^[\x21-\x7e]*$/);
        expect(decodeHeaderValue('ce-x', header)).toBe(value);
      }),
    );
  });

  test('half a character does not break the header', () => {
    expect(encodeHeaderValue('\uD800')).toBe('%EF%BF%BD');
  });
});

test.each([{ data: null }, { data_base64: null }, {}])('structured with %j has no data', (data) => {
  const body = new TextEncoder().encode(JSON.stringify({ ...event, ...data }));
  expect(readCloudEvent(structured, body)).not.toHaveProperty('data');
});
