import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import { factEvent } from '../../../events/fact.ts';
import type { OutEvent } from '../../../events/types.ts';
import type { AppOptions } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { NotDelivered } from '../../../shared/http/failures.ts';
import { defineFunction, type Reply, type Run } from '../../../shared/http/function.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { about, pod, time } from '../../events/examples.ts';
import { logLines } from './log-lines.ts';
import { type Answered, type Call, type Client, transports } from './transports.ts';

const type = 'dev.phaseout.deletion.advance.v1';
const command = advance(about, time);
const next = advance({ ...about, phase: 'volume-detach', seq: 3 }, time);
const evicted = factEvent({ kind: 'pod-evicted', ...about, pod }, time);
const started = factEvent({ kind: 'started', ...about }, time);
const delivered = toBinary(command);

const says =
  (said: Reply): Run<typeof type> =>
  async () =>
    said;
const fails =
  (error: unknown): Run<typeof type> =>
  async () => {
    throw error;
  };
const bodyOf = (length: number) => JSON.stringify({ ...command.data, filler: 'x'.repeat(length) });

describe.each(transports)('%s', (_name, start) => {
  let client: Client | undefined;
  afterEach(() => client?.close());

  async function answer(run: Run<typeof type>, call: Call = {}, options: Partial<AppOptions> = {}) {
    const { lines, log } = logLines();
    const handlers = { '/echo': defineFunction([type], run) };
    client = await start(handlers, { clock: systemClock, log, requestTimeoutSeconds: 5, ...options });
    const answered = await client.call({ ...delivered, ...call });
    return { ...answered, lines };
  }

  describe('a function that did its work', () => {
    test('and says nothing is answered with an empty 204', async () => {
      const { status, body, headers } = await answer(says(undefined));
      expect({ status, body, type: headers['ce-type'] }).toEqual({ status: 204, body: '', type: undefined });
    });

    test('and says nothing in a list likewise', async () => {
      expect(await answer(says([]))).toMatchObject({ status: 204, body: '' });
    });

    test('and says an event replies with it in binary mode', async () => {
      const { status, headers, body } = await answer(says(next));
      expect({ status, headers }).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/json',
          'ce-specversion': '1.0',
          'ce-id': 'af06f518-e44a-42dc-a686-cb100956ef7b/volume-detach/3',
          'ce-type': 'dev.phaseout.deletion.advance.v1',
          'ce-source': '/phaseout/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/worker-7',
          'ce-phase': 'volume-detach',
          'ce-partitionkey': 'af06f518-e44a-42dc-a686-cb100956ef7b',
        },
      });
      expect(JSON.parse(body)).toEqual(next.data);
    });

    test('and says several replies with the command and emits the others before', async () => {
      const emitted: OutEvent[] = [];
      const emit = (event: OutEvent) => Promise.resolve(void emitted.push(event));
      const { status, headers } = await answer(says([started, evicted, next]), {}, { emit });
      expect({ status, type: headers['ce-type'] }).toEqual({ status: 200, type });
      expect(emitted).toEqual([started, evicted]);
    });

    test('and says facts alone replies with the first', async () => {
      const emitted: OutEvent[] = [];
      const emit = (event: OutEvent) => Promise.resolve(void emitted.push(event));
      const { headers } = await answer(says([started, evicted]), {}, { emit });
      expect({ type: headers['ce-type'], emitted }).toEqual({ type: started.type, emitted: [evicted] });
    });

    test('is given the event, an id to follow it by, and ways to speak', async () => {
      const seen: unknown[] = [];
      const emitted: string[] = [];
      const emit = (event: OutEvent) => Promise.resolve(void emitted.push(event.type));
      await answer(
        async (event, context) => {
          seen.push(event, context.requestId, context.signal.aborted);
          context.log.info('works');
          await context.emit(evicted);
          return undefined;
        },
        { headers: { ...delivered.headers, 'x-request-id': 'r-1' } },
        { emit },
      );
      expect(seen).toEqual([command, 'r-1', false]);
      expect(emitted).toEqual([evicted.type]);
    });

    test('makes one line of log', async () => {
      const { lines } = await answer(says(next), {}, { newRequestId: () => 'r-2' });
      expect(lines).toEqual([
        {
          time: '1970-01-01T00:00:00.000Z',
          level: 'info',
          msg: 'request',
          function: 'echo',
          request: 'r-2',
          status: 200,
          milliseconds: expect.any(Number),
          type,
          event: command.id,
          subject: command.subject,
          reply: type,
        },
      ]);
    });
  });

  describe('a function that fails', () => {
    const conflict = Object.assign(new Error('conflict'), { code: 409, statusCode: 409, status: 422 });
    const cases: [string, unknown, string, string | undefined][] = [
      ['could not look', new Unavailable('the API is down'), 'the API is down', undefined],
      [
        'could not look for a while',
        new Unavailable('slow down', { retryAfterSeconds: 1.2 }),
        'slow down',
        '2',
      ],
      ['could not send', new NotDelivered('the sink is down'), 'the sink is down', undefined],
      ['an error with a status of its own', conflict, 'unexpected error; the log has it', undefined],
      ['something that is no error', 'oops', 'unexpected error; the log has it', undefined],
      ['nothing at all', undefined, 'unexpected error; the log has it', undefined],
    ];
    test.each(cases)('%s: 503', async (_case, error, body, retryAfter) => {
      const answered = await answer(fails(error));
      expect(answered).toMatchObject({ status: 503, body });
      expect(answered.headers['retry-after']).toBe(retryAfter);
    });

    test('for an unknown reason leaves the error in the log', async () => {
      const { lines } = await answer(fails(new TypeError('x is not a function')));
      expect(lines).toMatchObject([
        { level: 'error', msg: 'unexpected error', error: { name: 'TypeError', stack: expect.any(String) } },
        { level: 'warn', msg: 'request', status: 503, failure: 'unexpected', why: 'x is not a function' },
      ]);
    });

    test('to finish in time is answered with 503 and told to stop', async () => {
      let signal: AbortSignal | undefined;
      const { status, body, lines } = await answer(
        async (_event, context) => {
          ({ signal } = context);
          await pause(5_000, undefined, { signal });
          return undefined;
        },
        {},
        { requestTimeoutSeconds: 0.05 },
      );
      expect({ status, body }).toEqual({ status: 503, body: 'not done in the time of a request' });
      expect(signal?.aborted).toBe(true);
      expect(lines).toMatchObject([{ level: 'warn', failure: 'timed-out' }]);
    });

    test('to send an event that is not the reply is answered with 503', async () => {
      expect(await answer(says([next, command]))).toMatchObject({
        status: 503,
        body: 'there is no sink for events other than the reply',
      });
    });

    test('by making no valid event is answered with 503', async () => {
      const broken = { ...next, source: 'not a uri' };
      expect(await answer(says(broken))).toMatchObject({ status: 503 });
    });
  });

  describe('a delivery that is not for the function', () => {
    const { 'ce-id': _id, ...withoutId } = delivered.headers;
    const cases: [string, Call, { error: string; field: string }][] = [
      ['no id', { headers: withoutId }, { error: 'must be there and not empty', field: 'id' }],
      [
        'no data',
        { body: '' },
        { error: 'Invalid input: expected object, received undefined', field: 'data' },
      ],
      [
        'another type',
        { headers: { ...delivered.headers, 'ce-type': 'dev.else' } },
        { error: `"dev.else" is not taken here, only ${type}`, field: 'type' },
      ],
    ];
    test.each(cases)('%s: 400, and what is wrong in one line', async (_case, call, expected) => {
      const { status, headers, body, lines } = await answer(fails(new Error('must not run')), call);
      expect({ status, type: headers['content-type'] }).toEqual({ status: 400, type: 'application/json' });
      expect(JSON.parse(body)).toEqual(expected);
      expect(body).not.toContain('\n');
      expect(lines).toMatchObject([{ msg: 'request', status: 400, failure: 'malformed' }]);
    });
  });

  describe('the body', () => {
    test('over its limit: 413 that names the limit', async () => {
      const answered = await answer(says(undefined), { body: bodyOf(2_000) }, { bodyLimitBytes: 1_000 });
      expect(answered).toMatchObject({
        status: 413,
        body: 'the body has 2172 bytes, and the limit is 1000 (PHASEOUT_BODY_LIMIT_BYTES)',
      });
    });

    test('over the limit that holds if none is given', async () => {
      const answered = await answer(says(undefined), { body: bodyOf(5 * 1024 * 1024) });
      expect(answered).toMatchObject({
        status: 413,
        body: 'the body has 5243052 bytes, and the limit is 4194304 (PHASEOUT_BODY_LIMIT_BYTES)',
      });
    });

    test('of the very limit is taken', async () => {
      const body = bodyOf(1_000);
      expect(await answer(says(undefined), { body }, { bodyLimitBytes: body.length })).toMatchObject({
        status: 204,
      });
    });
  });

  describe('paths and methods', () => {
    const cases: [string, Call, Partial<AppOptions>, Partial<Answered>][] = [
      ['alive', { method: 'GET', path: '/health/liveness' }, {}, { status: 200, body: 'alive' }],
      ['ready', { method: 'GET', path: '/health/readiness' }, {}, { status: 200, body: 'ready' }],
      [
        'ready when nothing is waited for any more',
        { method: 'GET', path: '/health/readiness' },
        { waitsFor: () => [] },
        { status: 200, body: 'ready' },
      ],
      [
        'not ready, and why',
        { method: 'GET', path: '/health/readiness' },
        { waitsFor: () => ['no table', 'no API server'] },
        { status: 503, body: 'not ready: no table; no API server' },
      ],
      [
        'health is read only',
        { path: '/health/liveness' },
        {},
        { status: 405, body: '/health/liveness takes GET only' },
      ],
      ['a function is posted to', { method: 'GET' }, {}, { status: 405, body: '/echo takes POST only' }],
      ['an unknown path', { path: '/other' }, {}, { status: 404, body: 'no function at /other' }],
      ['the root', { path: '/' }, {}, { status: 404, body: 'no function at /' }],
      ['a name of the language', { path: '/constructor' }, {}, { status: 404 }],
    ];
    test.each(cases)('%s', async (_case, call, options, expected) => {
      expect(await answer(says(undefined), call, options)).toMatchObject(expected);
    });

    test('405 says what is allowed', async () => {
      const { headers } = await answer(says(undefined), { method: 'GET' });
      expect(headers.allow).toBe('POST');
    });
  });
});
