import { createDynamoStore, type DynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import { type Store, StoreUnavailable } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { directClient } from './direct-client.ts';
import { startDynamoDb } from './dynamodb.ts';

export interface EmbeddedStore {
  store: Store;
  /** URL of its DynamoDB. */
  endpoint: string;
  close(): Promise<void>;
}

/** The functions' store on an embedded DynamoDB that forgets everything when it is closed. */
export async function openEmbeddedStore(table: string, clock: Clock, log: Log): Promise<EmbeddedStore> {
  const engine = await startDynamoDb({ clock });
  const dynamo = createDynamoStore({ client: directClient(engine.tables), table, clock });
  try {
    await setUp(dynamo);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const store = forgivingStore(dynamo, { clock, say: (line) => log.warn(line) });
  return { store, endpoint: engine.endpoint, close: () => engine.close() };
}

/** Right after its start, on a busy machine, the engine may take longer than a call waits. */
const maxTries = 10;

/** Throws StoreUnavailable. */
export async function setUp(store: Pick<DynamoStore, 'ensureTable'>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store.ensureTable();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === maxTries) throw error;
    }
  }
}
