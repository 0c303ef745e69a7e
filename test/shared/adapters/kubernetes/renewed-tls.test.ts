import { expect, test } from 'vitest';

import type { CredentialSource, TlsMaterial } from '../../../../shared/adapters/kubernetes/credentials.ts';
import { createTransport } from '../../../../shared/adapters/kubernetes/transport.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { json, startServer } from './local-server.ts';

const request = {
  method: 'GET',
  verb: 'get',
  address: { path: '/version', label: '/version', resource: '/version' },
} as const;
const options = { clock: systemClock, requestTimeoutMilliseconds: 10_000, userAgent: 'test' };

/** How many connections six requests take that have the one TLS material and the other in turn. */
async function connectionsFor(one: TlsMaterial, other: TlsMaterial): Promise<number> {
  await using server = await startServer((_, response) => json(response, 200, {}));
  let tls = one;
  const source: CredentialSource = {
    server: new URL(server.url),
    proxyUrl: undefined,
    current: async () => ({ headers: {}, tls }),
    forget: () => undefined,
  };
  const transport = createTransport(source, options);
  for (let asked = 0; asked < 6; asked += 1) {
    tls = asked % 2 === 0 ? one : other;
    await transport.ask(request);
  }
  await transport.close();
  return server.sockets();
}

const text = (word: string): Buffer => Buffer.from(word);
const whole: TlsMaterial = { ca: text('ca'), cert: text('cert'), key: text('key'), servername: 'api' };

// A connection that goes on by the former authority would trust a server that no client may trust any more.
test.each<[what: string, renewed: TlsMaterial]>([
  ['authority', { ...whole, ca: text('new') }],
  ['certificate', { ...whole, cert: text('new') }],
  ['key', { ...whole, key: text('new') }],
  ['name that the server must have', { ...whole, servername: 'new' }],
  ['word that the server is believed unseen', { ...whole, rejectUnauthorized: false }],
])('another %s means another connection', async (_what, renewed) => {
  expect(await connectionsFor(whole, renewed)).toBe(6);
});

test('the same material, read anew, does not', async () => {
  expect(await connectionsFor(whole, { ...whole, ca: text('ca') })).toBeLessThanOrEqual(2);
});
