import { once } from 'node:events';
import { request as slowRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { advance } from '../../../events/advance.ts';
import { createUnderWay } from '../../../shared/async/under-way.ts';
import type { Flight } from '../../../shared/http/app.ts';
import { toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import { defineFunction, type Handler, type Run } from '../../../shared/http/function.ts';
import { type ServeOptions, serve } from '../../../shared/http/serve.ts';
import { systemClock } from '../../../shared/time/clock.ts';
import { about, time } from '../../events/examples.ts';
import { manualClock } from '../adapters/kubernetes/manual-clock.ts';
import { logLines } from './log-lines.ts';

const type = 'dev.phaseout.deletion.advance.v1';
const delivered = toBinary(advance(about, time));
/** On a busy computer what comes at once comes later. */
const patiently = { timeout: 60_000 };

async function serving(run: Run<typeof type>, requestTimeoutSeconds = 5, more: Partial<ServeOptions> = {}) {
  const { lines, log } = logLines();
  const options = { clock: systemClock, log, requestTimeoutSeconds, port: 0, host: '127.0.0.1', ...more };
  return { ...(await serve({ '/echo': defineFunction([type], run) }, options)), lines };
}

test('closing lets a request in flight finish, takes no other, and leaves no connection', async () => {
  const { promise: arrived, resolve: hasArrived } = Promise.withResolvers<void>();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const server = await serving(async () => {
    hasArrived();
    await finished;
    return undefined;
  });
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const inFlight = request(`${server.url}/echo`, { method: 'POST', dispatcher: agent, ...delivered });
  await arrived;
  const closed = server.close();
  await expect(request(`${server.url}/health/liveness`)).rejects.toThrow('ECONNREFUSED');
  finish();
  const answer = await inFlight;
  await answer.body.dump();
  expect(answer).toMatchObject({ statusCode: 204, headers: { connection: 'close' } });
  await closed;
  await server.close();
  await agent.destroy();
});

test('closing does not wait for idle connections', async () => {
  const server = await serving(() => Promise.resolve(undefined));
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const answer = await request(`${server.url}/echo`, { method: 'POST', dispatcher: agent, ...delivered });
  await answer.body.dump();
  await expect(server.close()).resolves.toBeUndefined();
  await agent.destroy();
});

test('closing does not wait for a connection on which nothing was ever asked for', async () => {
  const server = await serving(() => Promise.resolve(undefined));
  const spare = connect(server.port, '127.0.0.1');
  await once(spare, 'connect');
  const ended = once(spare, 'close');
  await expect(server.close()).resolves.toBeUndefined();
  await ended;
});

test.each([false, true])(
  'closing waits for headers no longer than at other times (after a request: %s)',
  async (isUsed) => {
    const server = await serving(() => Promise.resolve(undefined), 5, { headersSeconds: 1 });
    const slow = connect(server.port, '127.0.0.1');
    // On a busy computer the server may end it before it is closed itself.
    const ended = new Promise((resolve) => void slow.on('error', () => undefined).once('close', resolve));
    await once(slow, 'connect');
    if (isUsed) {
      slow.write('GET /health/liveness HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(slow, 'data');
    }
    slow.resume().write('POST /echo HTTP/1.1\r\n');
    await pause(50);
    await expect(server.close()).resolves.toBeUndefined();
    await ended;
  },
);

/** No header may have a line end. */
const odd: Handler = async () => ({ status: 200, headers: { 'x-odd': 'a\nb' }, body: '' });

test('an answer that cannot be written ends its own connection, and no other request', async () => {
  const { lines, log } = logLines();
  const options = { clock: systemClock, log, requestTimeoutSeconds: 5, port: 0, host: '127.0.0.1' };
  const server = await serve({ '/echo': odd }, options);
  await expect(request(`${server.url}/echo`, { method: 'POST' })).rejects.toThrow('other side closed');
  expect(lines).toMatchObject([{ level: 'error', msg: 'unexpected error', error: { name: 'TypeError' } }]);
  const alive = await request(`${server.url}/health/liveness`);
  await alive.body.dump();
  expect(alive.statusCode).toBe(200);
  await server.close();
});

test('requests at the same time have their own signals', async () => {
  const clock = manualClock();
  const signals: AbortSignal[] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const server = await serving(
    async (event, { signal }) => {
      signals[event.data.seq] = signal;
      await (event.data.seq === 0 ? new Promise(() => undefined) : finished);
      return undefined;
    },
    0.2,
    { clock },
  );
  const post = async (seq: number) => {
    const { headers, body } = toBinary(advance({ ...about, seq }, time));
    return (await request(`${server.url}/echo`, { method: 'POST', headers, body })).statusCode;
  };
  const aborted = (): boolean[] => signals.map((signal) => signal.aborted);
  const first = post(0);
  const others = [post(1), post(2)];
  await expect.poll(aborted, patiently).toEqual([false, false, false]);
  finish();
  expect(await Promise.all(others)).toEqual([204, 204]);
  await clock.advance(200);
  expect(await first).toBe(503);
  expect(aborted()).toEqual([true, false, false]);
  await server.close();
});

test('a body that does not come in time is answered with 503 and the connection closed', async () => {
  const server = await serving(() => Promise.resolve(undefined), 0.1);
  const answer = await rawRequest(server.port, 'content-length: 10\r\n\r\nabc');
  expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  await server.close();
});

test('headers that do not come in time end the connection, and a body may come later', async () => {
  const server = await serving(() => Promise.resolve(undefined), 60, { headersSeconds: 0.5 });
  const { headers, body } = delivered;
  const slow = slowRequest(`${server.url}/echo`, { method: 'POST', headers });
  slow.flushHeaders();
  await once(slow, 'socket');
  // It is over for one that has begun later.
  expect(await rawRequest(server.port, 'content-le')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  slow.end(body);
  const [answer] = await once(slow, 'response');
  expect(answer).toMatchObject({ statusCode: 204 });
  await server.close();
});

test('connections are kept for longer than senders keep them', async () => {
  const server = await serving(() => Promise.resolve(undefined));
  const agent = new Agent();
  const answer = await request(`${server.url}/health/liveness`, { dispatcher: agent });
  await answer.body.dump();
  expect(answer.headers['keep-alive']).toBe('timeout=120');
  await server.close();
  await agent.destroy();
});

const broken = () => Promise.reject(new TypeError('mistake'));

test('a mistake in front of the functions is answered, and told', async () => {
  const { lines, log } = logLines();
  const server = await serve(
    { '/echo': broken },
    { clock: systemClock, log, requestTimeoutSeconds: 5, port: 0, host: '127.0.0.1' },
  );
  const answer = await request(`${server.url}/echo`, { method: 'POST', ...delivered });
  expect([answer.statusCode, await answer.body.text()]).toEqual([503, 'unexpected error; the log has it']);
  expect(lines).toMatchObject([{ level: 'error', msg: 'unexpected error' }]);
  await server.close();
});

test('a request beyond those that may be worked on at a time is turned away, body and all', async () => {
  const { promise: arrived, resolve: hasArrived } = Promise.withResolvers<void>();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const run = async () => {
    hasArrived();
    await finished;
    return undefined;
  };
  const server = await serving(run, 5, { maxInFlight: 1 });
  const post = (body = delivered.body) =>
    request(`${server.url}/echo`, { method: 'POST', headers: delivered.headers, body });
  const first = post();
  await arrived;
  const second = await post('x'.repeat(8 * 1024 * 1024));
  expect(await second.body.text()).toBe(
    '1 requests are being worked on, which is the limit (PHASEOUT_REQUESTS_IN_FLIGHT)',
  );
  expect(second).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } });
  finish();
  expect((await first).statusCode).toBe(204);
  expect((await post()).statusCode).toBe(204);
  expect(server.lines[0]).toMatchObject({
    msg: 'request',
    function: 'echo',
    status: 429,
    failure: 'too-many',
  });
  await server.close();
});

test('a sender that breaks off does no harm', async () => {
  const inFlight = createUnderWay<Flight>();
  const server = await serving(() => Promise.resolve(undefined), 60, { inFlight });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc');
  await expect.poll(() => inFlight.all().length, patiently).toBe(1);
  socket.destroy();
  await expect.poll(() => server.lines, patiently).toMatchObject([{ msg: 'request', failure: 'broken-off' }]);
  await server.close();
});

test('a port that is taken is said', async () => {
  const server = await serving(() => Promise.resolve(undefined));
  const { log } = logLines();
  const { port } = server;
  const second = serve({}, { clock: systemClock, log, requestTimeoutSeconds: 1, port, host: '127.0.0.1' });
  await expect(second).rejects.toThrow('EADDRINUSE');
  await server.close();
});

/** Writes a request as it is and answers with everything that comes back until the end. */
async function rawRequest(port: number, rest: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\n${rest}`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
