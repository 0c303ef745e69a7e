import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import type { Store } from '../../../shared/store/port.ts';
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
export async function openEmbeddedStore(
  table: string,
  clock: Clock,
  log: InstanceLog,
): Promise<EmbeddedStore> {
  const engine = await startDynamoDb({ clock });
  const dynamo = createDynamoStore({ client: directClient(engine.tables), table, clock });
  try {
    await dynamo.ensureTable();
  } catch (error) {
    await engine.close();
    throw error;
  }
  const store = forgivingStore(dynamo, { clock, say: (line) => log.warn(line) });
  return { store, endpoint: engine.endpoint, close: () => engine.close() };
}
