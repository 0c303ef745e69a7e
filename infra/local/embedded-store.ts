import { createStoreClient } from '../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { forgivingStore } from '../../shared/store/forgiving.ts';
import type { Store } from '../../shared/store/port.ts';
import { startDynamoDb } from './dynamodb.ts';

export interface EmbeddedStore {
  store: Store;
  close(): Promise<void>;
}

/** The functions' store on an embedded DynamoDB that forgets everything when it is closed. */
export async function openEmbeddedStore(table: string, clock: Clock, log: Log): Promise<EmbeddedStore> {
  const engine = await startDynamoDb();
  const client = createStoreClient({ endpoint: engine.endpoint });
  const dynamo = createDynamoStore({ client, table, clock });
  await dynamo.ensureTable();
  return {
    store: forgivingStore(dynamo, { clock, say: (line) => log.warn(line) }),
    async close() {
      client.destroy();
      await engine.close();
    },
  };
}
