import { once } from 'node:events';
import { createServer } from 'node:net';

/** One that was free a moment ago, for who has to know it before anybody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
