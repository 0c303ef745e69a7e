import { expect, test } from 'vitest';

import type { CredentialSource } from '../../../../shared/adapters/kubernetes/credentials.ts';
import { transportOver } from '../../../../shared/adapters/kubernetes/transport.ts';
import { systemClock } from '../../../../shared/time/clock.ts';

const source: CredentialSource = {
  server: new URL('http://127.0.0.1:9'),
  proxyUrl: undefined,
  current: async () => ({ headers: {}, tls: {} }),
  forget: () => undefined,
};

// Otherwise an absent host would look like a slow server, and no write reports a slow cluster.
test('a connection may take half the time that a request has', () => {
  const times: number[] = [];
  const open = transportOver((_source, connectMilliseconds) => {
    times.push(connectMilliseconds);
    return { send: () => Promise.reject(new Error('nobody asks')), close: async () => undefined };
  });
  open(source, { clock: systemClock, requestTimeoutMilliseconds: 10_000, userAgent: 'test' });
  expect(times).toEqual([5_000]);
});
