import net from 'node:net';
import { expect, test } from 'vitest';

import type { CredentialSource } from '../../../../shared/adapters/kubernetes/credentials.ts';
import type { ApiRequest } from '../../../../shared/adapters/kubernetes/request.ts';
import { createTransport } from '../../../../shared/adapters/kubernetes/transport.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { manualClock } from './manual-clock.ts';

const request: ApiRequest = {
  method: 'GET',
  verb: 'get',
  address: { path: '/version', label: '/version', resource: '/version' },
};

/** A proxy that takes every connection, and never says whether it leads anywhere. */
async function silentProxy() {
  const open = new Set<net.Socket>();
  let asked = 0;
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.once('data', () => void (asked += 1));
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    asked: () => asked,
    open: () => open.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const behind = (proxyUrl: string): CredentialSource => ({
  server: new URL('https://cluster.invalid'),
  proxyUrl,
  current: async () => ({ headers: {}, tls: {} }),
  forget: () => undefined,
});

test.each<[string, 'ask' | 'open']>([
  ['a request', 'ask'],
  ['a watch', 'open'],
])('%s does not wait for its way through a proxy longer than it may', async (_, what) => {
  const clock = manualClock();
  await using proxy = await silentProxy();
  const options = { clock, requestTimeoutMilliseconds: 10_000, userAgent: 'test' };
  const transport = createTransport(behind(proxy.url), options);
  const over = new AbortController();
  const asked = transport[what](request, over.signal).catch(String);
  await expect.poll(() => proxy.asked()).toBe(1);
  await clock.advance(10_000);
  over.abort(new Error('no longer wanted'));
  expect(await asked).toMatch(/no answer within 10 s|no longer wanted/);
});

test('a proxy that leads nowhere does not keep the places of its connections', async () => {
  await using proxy = await silentProxy();
  const options = { clock: systemClock, requestTimeoutMilliseconds: 200, userAgent: 'test' };
  const transport = createTransport(behind(proxy.url), options);
  await expect(transport.ask(request)).rejects.toThrow('GET /version of https://cluster.invalid');
  expect(proxy.asked()).toBe(1);
  await expect.poll(() => proxy.open(), { timeout: 4_000 }).toBe(0);
  await transport.close();
});
