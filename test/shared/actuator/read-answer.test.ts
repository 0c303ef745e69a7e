import { describe, expect, test } from 'vitest';
import {
  type HttpAnswer,
  readDeletion,
  readExistence,
  readReport,
} from '../../../shared/actuator/read-answer.ts';

const answer = (status: number, body: unknown, contentType = 'application/json'): HttpAnswer => ({
  status,
  contentType,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const refusal = (status: number, error: unknown) => answer(status, { error });

describe('existence', () => {
  test.each([
    ['true', { exists: true }, { kind: 'exists' }],
    ['false', { exists: false }, { kind: 'absent' }],
    [
      'true, and when to ask again',
      { exists: true, retryAfterSeconds: 3 },
      { kind: 'exists', retryAfterSeconds: 3 },
    ],
    ['true with null for nothing', { exists: true, retryAfterSeconds: null }, { kind: 'exists' }],
    ['false, whatever else', { exists: false, retryAfterSeconds: 3, zone: 'a' }, { kind: 'absent' }],
  ])('%s', (_, body, value) => {
    expect(readExistence(answer(200, body))).toEqual({ kind: 'read', value });
  });

  test.each<[string, unknown, string]>([
    ['a text for a truth', { exists: 'false' }, 'exists: Invalid input: expected boolean, received string'],
    ['nothing', {}, 'exists: Invalid input: expected boolean, received undefined'],
    ['null', 'null', 'the body: Invalid input: expected object, received null'],
    ['a list', [], 'the body: Invalid input: expected object, received array'],
    [
      'less than no time',
      { exists: true, retryAfterSeconds: -1 },
      'retryAfterSeconds: Too small: expected number to be >=0',
    ],
    [
      'more than a day',
      { exists: true, retryAfterSeconds: 86_401 },
      'retryAfterSeconds: Too big: expected number to be <=86400',
    ],
  ])('is not known from %s', (_, body, why) => {
    expect(readExistence(answer(200, body))).toEqual({
      kind: 'unusable',
      why: `answered 200 with a body that does not match: ${why}`,
    });
  });
});

describe('a report', () => {
  test.each<[string, unknown, object]>([
    ['of nothing', {}, {}],
    ['of nothing, as null', { providerID: null, addresses: null, providerStatus: null }, {}],
    ['of an identity not known yet', { providerID: '' }, {}],
    [
      'of everything',
      {
        providerID: 'x://1',
        addresses: [{ type: 'InternalIP', address: '10.0.0.1', zone: 'a' }],
        providerStatus: { state: 'up', since: { hours: 1 } },
      },
      {
        providerID: 'x://1',
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
        providerStatus: { state: 'up', since: { hours: 1 } },
      },
    ],
  ])('%s', (_, body, report) => {
    expect(readReport(answer(200, body))).toStrictEqual({ kind: 'read', value: { kind: 'done', report } });
  });

  test.each<[string, unknown]>([
    ['an address without a type', { addresses: [{ address: '10.0.0.1' }] }],
    ['an address that is a text', { addresses: ['10.0.0.1'] }],
    ['a status that is a text', { providerStatus: 'up' }],
    ['an identity that is a number', { providerID: 7 }],
  ])('is not taken from %s', (_, body) => {
    expect(readReport(answer(200, body))).toMatchObject({ kind: 'unusable' });
  });
});

describe('a deletion', () => {
  test.each([200, 202])('is accepted with %i', (status) => {
    expect(readDeletion(answer(status, {}))).toEqual({ kind: 'read', value: { kind: 'accepted' } });
  });

  test.each([201, 204, 301, 302])('is not known to be accepted with %i', (status) => {
    expect(readDeletion(answer(status, {}))).toMatchObject({ kind: 'unusable' });
  });
});

test('only a delete may be accepted for later', () => {
  expect(readReport(answer(202, {}))).toMatchObject({ kind: 'unusable' });
  expect(readExistence(answer(202, { exists: false }))).toMatchObject({ kind: 'unusable' });
});

describe('a refusal', () => {
  test.each<[string, HttpAnswer, object]>([
    [
      'with a reason of the API',
      refusal(422, { reason: 'InsufficientResources', message: 'none left' }),
      { kind: 'failed', reason: 'InsufficientResources', message: 'none left' },
    ],
    [
      'with a reason nobody knows',
      refusal(422, { reason: 'Whim', message: 'no' }),
      { kind: 'failed', reason: undefined, message: 'no' },
    ],
    [
      'without a reason',
      refusal(422, { reason: null, message: 'no' }),
      { kind: 'failed', reason: undefined, message: 'no' },
    ],
    [
      'that is final although it names a time',
      refusal(422, { message: 'no', retryAfterSeconds: 5 }),
      { kind: 'failed', reason: undefined, message: 'no' },
    ],
    [
      'for the moment',
      refusal(503, { message: 'later', retryAfterSeconds: 1.5 }),
      { kind: 'retry', afterSeconds: 1.5, message: 'later' },
    ],
    [
      'to be called that often',
      refusal(429, { message: 'slowly', retryAfterSeconds: 0 }),
      { kind: 'retry', afterSeconds: 0, message: 'slowly' },
    ],
  ])('%s', (_, given, value) => {
    for (const read of [readExistence, readReport, readDeletion]) {
      expect(read(given)).toEqual({ kind: 'read', value });
    }
  });

  test('has a message of 4 KiB at most', () => {
    const reading = readDeletion(refusal(422, { message: 'x'.repeat(5_000) }));
    expect(reading).toMatchObject({ kind: 'read', value: { message: `${'x'.repeat(4_093)}...` } });
  });
});

describe('nothing is known', () => {
  test.each<[string, HttpAnswer, string]>([
    ['a status of its own', refusal(500, { message: 'oops' }), 'answered 500: oops'],
    ['403', refusal(403, { message: 'not you' }), 'answered 403: not you'],
    [
      '400, which speaks of the request and not of the server',
      refusal(400, { reason: 'InvalidConfiguration', message: 'machine: missing' }),
      'answered 400: machine: missing',
    ],
    ['503 without a time', refusal(503, { message: 'down' }), 'answered 503: down'],
    [
      '503 of a proxy',
      answer(503, '<html>', 'text/html; charset=utf-8'),
      'answered 503 with text/html instead of JSON',
    ],
    [
      '503 with a time that is none',
      refusal(503, { message: 'down', retryAfterSeconds: 'soon' }),
      'answered 503 without a proper error: error.retryAfterSeconds: Invalid input: expected number, received string',
    ],
    [
      '422 without an error',
      answer(422, {}),
      'answered 422 without a proper error: error: Invalid input: expected object, received undefined',
    ],
    [
      '404 of another server',
      answer(404, 'nothing', 'text/plain'),
      'answered 404 with text/plain instead of JSON',
    ],
    ['200 of a proxy', answer(200, '<html>', 'text/html'), 'answered 200 with text/html instead of JSON'],
    ['200 without a type', answer(200, {}, ''), 'answered 200 without a content type'],
    ['200 that is cut off', answer(200, '{"exi'), 'answered 200 with a body that is no JSON'],
    ['200 with nothing in it', answer(200, ''), 'answered 200 with a body that is no JSON'],
  ])('from %s', (_, given, why) => {
    for (const read of [readExistence, readReport, readDeletion]) {
      expect(read(given)).toEqual({ kind: 'unusable', why });
    }
  });
});

test('the content type may say more and in any case', () => {
  expect(readDeletion(answer(200, {}, 'Application/JSON; charset=utf-8'))).toMatchObject({ kind: 'read' });
});

test('the content type may have blanks around it', () => {
  expect(readDeletion(answer(200, {}, ' application/json ; charset=utf-8'))).toMatchObject({ kind: 'read' });
});

test('an answer without a content type is none', () => {
  expect(readDeletion({ status: 200, contentType: undefined, text: '{}' })).toEqual({
    kind: 'unusable',
    why: 'answered 200 without a content type',
  });
});
