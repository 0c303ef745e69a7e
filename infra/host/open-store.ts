import { createStoreClient } from '../../shared/adapters/dynamodb/client.ts';
import type { TableSetUp } from '../../shared/adapters/dynamodb/create-table.ts';
import { reportRequests } from '../../shared/adapters/dynamodb/report-requests.ts';
import { createDynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { type Metrics, noMetrics } from '../../shared/runtime/metrics.ts';
import { noTracing, type Tracing } from '../../shared/runtime/tracing.ts';
import { forgivingStore } from '../../shared/store/forgiving.ts';
import type { Store } from '../../shared/store/port.ts';
import { observeStoreRequest } from './metrics-requests.ts';
import type { Outside } from './outside.ts';

/** The table in DynamoDB, and the way to it. */
export interface OpenStore {
  /** Answers without the table while that cannot be reached. */
  store: Store;
  /** Resolves when the table has answered; throws StoreUnavailable. */
  answer(): Promise<void>;
  /** Creates the table unless it is there, and waits until it can be used. Throws StoreUnavailable. */
  ensureTable(): Promise<TableSetUp>;
  close(): void;
}

interface Around extends Pick<Outside, 'env'> {
  clock: Clock;
  log: Log;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** Traces nothing unless given. */
  tracing?: Tracing;
}

/** Opens no connection. */
export function openStore(
  { dynamodbEndpoint: endpoint, table }: Pick<Config, 'dynamodbEndpoint' | 'table'>,
  { env, clock, log, metrics = noMetrics, tracing = noTracing }: Around,
): OpenStore {
  const client = createStoreClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...givenKeys(env),
  });
  reportRequests(client, clock, (report) => observeStoreRequest({ metrics, tracing }, report));
  const dynamo = createDynamoStore({ client, table, clock });
  return {
    store: forgivingStore(dynamo, { clock, say: (line) => log.warn(line) }),
    // The cheapest read there is: one page of an index that is nearly empty.
    answer: async () => void (await dynamo.due(clock.now(), 1)),
    ensureTable: () => dynamo.ensureTable(),
    close: () => client.destroy(),
  };
}

/** Keys that are given outright are meant for whatever is at the endpoint, whether it is AWS or not. */
function givenKeys(env: Outside['env']): { region?: string; accessKeyId?: string; secretAccessKey?: string } {
  const region = env['AWS_REGION'];
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  return {
    ...(region ? { region } : {}),
    // With a session token the keys alone are worth nothing: the SDK's own search finds all three.
    ...(accessKeyId && secretAccessKey && !env['AWS_SESSION_TOKEN'] ? { accessKeyId, secretAccessKey } : {}),
  };
}
