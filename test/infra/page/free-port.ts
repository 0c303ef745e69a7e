import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that was free a moment ago, for a test that needs it before a server listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
