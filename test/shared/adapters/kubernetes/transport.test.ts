import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';

import type { CredentialSource, Credentials } from '../../../../shared/adapters/kubernetes/credentials.ts';
import type { ApiRequest } from '../../../../shared/adapters/kubernetes/request.ts';
import { createTransport } from '../../../../shared/adapters/kubernetes/transport.ts';
import { stopwatchBy, systemClock } from '../../../../shared/time/clock.ts';
import { json, startServer } from './local-server.ts';
import { manualClock } from './manual-clock.ts';

const request: ApiRequest = {
  method: 'GET',
  verb: 'get',
  address: { path: '/version', label: '/version', resource: '/version' },
};

/** Credentials that the test changes as it likes. */
class Rotating implements CredentialSource {
  readonly proxyUrl = undefined;
  readonly server: URL;
  credentials: Credentials = { headers: {}, tls: {} };
  forgotten = 0;
  constructor(url: string) {
    this.server = new URL(url);
  }
  current = async (): Promise<Credentials> => this.credentials;
  forget = (): void => {
    this.forgotten += 1;
  };
}

const options = { clock: systemClock, requestTimeoutMilliseconds: 10_000, userAgent: 'test' };

test('a request does not wait for credentials longer than for its answer', async () => {
  const clock = manualClock();
  const source = new Rotating('http://127.0.0.1:9');
  const login = Promise.withResolvers<Credentials>();
  source.current = () => login.promise;
  const transport = createTransport(source, { ...options, clock });
  const asked = transport.ask(request).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await asked).toMatchObject({ message: expect.stringContaining('no answer within 10 s') });
  login.resolve({ headers: {}, tls: {} });
  await transport.close();
});

test('a request is not sent whose time is over because the process stood still over its credentials', async () => {
  await using server = await startServer((_, response) => json(response, 200, {}));
  const clock = manualClock();
  const source = new Rotating(server.url);
  source.current = async () => {
    void clock.standStill(10_000);
    return { headers: {}, tls: {} };
  };
  const transport = createTransport(source, { ...options, clock });
  await expect(transport.ask({ ...request, method: 'DELETE' })).rejects.toThrow('no answer within 10 s');
  await transport.close();
  expect(server.seen).toEqual([]);
});

const now = (): number => systemClock.now();

/** After all that goes on without IO, and before there can be a connection. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

// Timers come late then.
test.each(['requests', 'evictions'] as const)(
  'a request is not sent whose time is over because the process stood still until there was a connection: %s',
  async (lane) => {
    await using server = await startServer((_, response) => json(response, 200, {}));
    let stoodStill = 0;
    const clock = {
      ...systemClock,
      stopwatch: () => stopwatchBy(() => now() + stoodStill, now),
      after: () => () => undefined,
    };
    const source = new Rotating(server.url);
    source.current = async () => {
      void soon().then(() => void (stoodStill = 10_000));
      return { headers: {}, tls: {} };
    };
    const transport = createTransport(source, { ...options, clock });
    const asked = transport.ask({ ...request, method: 'DELETE', lane });
    await expect(asked).rejects.toThrow('no answer within 10 s');
    await transport.close();
    expect(server.seen).toEqual([]);
  },
);

test('a renewed certificate means new connections, and what is under way finishes on the old ones', async () => {
  const held: ServerResponse[] = [];
  await using server = await startServer((_, response, count) => {
    if (count === 1) held.push(response);
    else json(response, 200, {});
  });
  const source = new Rotating(server.url);
  const transport = createTransport(source, options);
  const underWay = transport.ask(request);
  await expect.poll(() => held).toHaveLength(1);
  source.credentials = { headers: {}, tls: { cert: Buffer.from('renewed') } };
  expect((await transport.ask(request)).code).toBe(200);
  expect(server.sockets()).toBe(2);
  expect(server.openSockets()).toBe(2);
  json(held[0]!, 200, { late: true });
  expect((await underWay).text).toBe('{"late":true}');
  await expect.poll(() => server.openSockets()).toBe(1);
  await transport.close();
});

test('a connection belongs to its certificate, and is never used with another one', async () => {
  await using server = await startServer((_, response) => json(response, 200, {}));
  const source = new Rotating(server.url);
  const transport = createTransport(source, options);
  for (const cert of ['a', 'b', 'c', 'd', 'e']) {
    source.credentials = { headers: {}, tls: { cert: Buffer.from(cert) } };
    await transport.ask(request);
  }
  expect(server.sockets()).toBe(5);
  await transport.close();
});

test('each request carries the credentials of its time', async () => {
  await using server = await startServer((_, response) => json(response, 200, {}));
  const source = new Rotating(server.url);
  const transport = createTransport(source, options);
  for (const token of ['one', 'two']) {
    source.credentials = { headers: { authorization: token }, tls: {} };
    await transport.ask(request);
  }
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['one', 'two']);
  await transport.close();
});

test('credentials are read again once the server does not know them', async () => {
  await using server = await startServer((_, response) => json(response, 401, {}));
  const source = new Rotating(server.url);
  const transport = createTransport(source, options);
  await transport.ask(request);
  expect(source.forgotten).toBe(1);
  await transport.close();
});

test('credentials that the server knows are not read again', async () => {
  await using server = await startServer((_, response) => json(response, 200, {}));
  const source = new Rotating(server.url);
  const transport = createTransport(source, options);
  await transport.ask(request);
  expect(source.forgotten).toBe(0);
  await transport.close();
});

test('a request whose time is over while credentials are read is not sent any more', async () => {
  await using server = await startServer((_, response) => json(response, 200, {}));
  const clock = manualClock();
  const source = new Rotating(server.url);
  const late = Promise.withResolvers<Credentials>();
  source.current = () => late.promise;
  const transport = createTransport(source, { ...options, clock });
  const asked = transport.ask(request).catch(String);
  await clock.advance(10_000);
  late.resolve(source.credentials);
  expect(await asked).toContain('no answer within 10 s');
  expect(server.seen).toEqual([]);
  await transport.close();
});

/** What is told of the server, which is not there, and what the watch ends with. */
async function openInVain(signal: AbortSignal) {
  const server = await startServer(() => undefined);
  await server[Symbol.asyncDispose]();
  const contacts: string[] = [];
  const onContact = (contact: string): void => void contacts.push(contact);
  const transport = createTransport(new Rotating(server.url), { ...options, onContact });
  const failure = await transport.open(request, signal).catch(String);
  await transport.close();
  return { contacts, failure, server };
}

describe('a watch that cannot be opened', () => {
  test('shows that the server cannot be reached', async () => {
    const { contacts, failure, server } = await openInVain(new AbortController().signal);
    expect(contacts).toEqual(['unreachable']);
    expect(failure).toContain(`GET /version of ${server.url}: connect ECONNREFUSED`);
  });

  test('shows nothing of the server when nobody wants it any more', async () => {
    const { contacts } = await openInVain(AbortSignal.abort());
    expect(contacts).toEqual([]);
  });
});

test('what is under way when closing still gets its answer', async () => {
  const held: ServerResponse[] = [];
  await using server = await startServer((_, response) => void held.push(response));
  const transport = createTransport(new Rotating(server.url), options);
  const underWay = transport.ask(request);
  await expect.poll(() => held).toHaveLength(1);
  const closed = transport.close();
  json(held[0]!, 200, {});
  expect((await underWay).code).toBe(200);
  await closed;
});

test.each<[string, (response: ServerResponse) => void]>([
  ['was answered', (response) => json(response, 200, {})],
  ['failed', (response) => response.destroy()],
])('a request that %s leaves no timer behind', async (_what, respond) => {
  await using server = await startServer((_, response) => respond(response));
  const clock = manualClock();
  const transport = createTransport(new Rotating(server.url), { ...options, clock });
  await transport.ask(request).catch(() => undefined);
  expect(server.seen.length).toBeGreaterThan(0);
  expect(clock.timers()).toBe(0);
  await transport.close();
});
