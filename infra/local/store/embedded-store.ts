import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import { forgivingStore } from '../../../shared/store/best-effort.ts';
import type { Store } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { opened } from '../apis/opened.ts';
import { directClient } from './direct-client.ts';
import { startDynamoDb } from './dynamodb.ts';

export interface EmbeddedStore {
  store: Store;
  /** URL of its DynamoDB. */
  endpoint: string;
  close(): Promise<void>;
}

/** The functions' store on an embedded DynamoDB that forgets everything when it is closed. */
export const openEmbeddedStore = (table: string, clock: Clock, log: Log): Promise<EmbeddedStore> =>
  opened(async (closing) => {
    const engine = await startDynamoDb({ clock });
    closing.defer(() => engine.close());
    const dynamo = createDynamoStore({ client: directClient(engine.tables), table, clock });
    await dynamo.ensureTable();
    const store = forgivingStore(dynamo, { clock, say: (line) => log.warn(line) });
    return { store, endpoint: engine.endpoint, close: () => closing.disposeAsync() };
  });
