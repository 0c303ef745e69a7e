import { createServer } from 'node:http';
import { type Answering, answer } from './answer.ts';
import type { Door } from './guard.ts';
import { close, listen } from './http.ts';
import { newSecret, newToken } from './secret.ts';

/** What a page serves, and on which port. */
export interface PageOptions extends Answering {
  /** Any free one by default. */
  port?: number | undefined;
}

export interface Page {
  /** With the token: for the user of this terminal alone. */
  address: string;
  close(): Promise<void>;
}

/** Serves the page on loopback, for the user who sees its address. Throws CannotDo where the port cannot be had. */
export async function servePage(options: PageOptions): Promise<Page> {
  const door: Door = { port: 0, token: newToken(), session: newSecret(), key: newSecret() };
  const server = createServer((request, response) => {
    answer(request, response, door, options).catch(() => response.destroy());
  });
  door.port = await listen(server, options.port ?? 0, '127.0.0.1');
  // The page alone keeps no process alive.
  server.unref();
  return { address: `http://127.0.0.1:${door.port}/#token=${door.token}`, close: () => close(server) };
}
