import dynalite from 'dynalite';
import { listenLocally } from './listen.ts';
import { followRequests } from './requests-under-way.ts';

export interface LocalDynamoDb {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * An embedded DynamoDB on 127.0.0.1, in memory or in the folder `path`. It knows no transactions and deletes nothing
 * that has expired. Clients need static credentials, any at all, or they go looking for some elsewhere.
 */
export async function startDynamoDb({ path }: { path?: string } = {}): Promise<LocalDynamoDb> {
  const place = path === undefined ? {} : { path };
  const server = dynalite({ ...place, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const requests = followRequests(server);
  // After the engine's own listener, which throws, where nobody can catch it, when a sender breaks off in mid-request.
  server.on('request', (request) => request.removeAllListeners('error'));
  const endpoint = await listenLocally(server);
  return {
    endpoint,
    async close() {
      // One that is in the midst of something would find its database closed, and throw where nobody can catch it.
      await requests.none();
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        // Clients keep connections alive, and closing would wait for them.
        server.closeAllConnections();
      });
    },
  };
}
