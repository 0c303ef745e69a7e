import type { Server } from 'node:http';

/** Starts listening on 127.0.0.1, on any free port if none is given, and answers with the base URL. */
export async function listenLocally(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

/** Ends the server and its connections: clients keep them alive, and it would wait for them. */
const closeNow = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export interface Listening {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Breaks off what is still being answered. */
  close(): Promise<void>;
}

/** Serves on 127.0.0.1, on any free port if none is given. Rejects when the port cannot be had. */
export const serveLocally = async (server: Server, port?: number): Promise<Listening> => ({
  url: await listenLocally(server, port),
  close: () => closeNow(server),
});
