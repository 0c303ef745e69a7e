import {
  createStoreClient,
  reportRequests,
  type StoreClientOptions,
} from '../../shared/adapters/dynamodb/client.ts';
import type { TableSetUp } from '../../shared/adapters/dynamodb/create-table.ts';
import { createDynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { type Metrics, noMetrics } from '../../shared/runtime/metrics.ts';
import { noTracing, type Tracing } from '../../shared/runtime/tracing.ts';
import { forgivingStore } from '../../shared/store/best-effort.ts';
import type { Store } from '../../shared/store/port.ts';
import type { Clock } from '../../shared/time/clock.ts';
import { observeStoreRequest } from './metrics/requests.ts';
import type { Outside } from './outside.ts';

/** The table in DynamoDB, and the way to it. */
export interface OpenStore {
  /** Answers without the table while the table is unavailable. */
  store: Store;
  /** Resolves when the table has answered; throws StoreUnavailable. */
  answer(): Promise<void>;
  /** Creates the table unless it is there, and waits until it can be used. Throws StoreUnavailable. */
  ensureTable(): Promise<TableSetUp>;
  close(): void;
}

interface Around extends Pick<Outside, 'env'> {
  clock: Clock;
  log: InstanceLog;
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
    ...credentialsIn(env),
  });
  reportRequests(client, clock, (report) => observeStoreRequest({ metrics, tracing }, report));
  const dynamo = createDynamoStore({ client, table, clock });
  return {
    store: forgivingStore(dynamo, { clock, log: (line) => log.warn(line) }),
    // The cheapest read there is: one page of an index that is nearly empty.
    answer: async () => void (await dynamo.due(clock.now(), 1)),
    ensureTable: () => dynamo.ensureTable(),
    close: () => client.destroy(),
  };
}

/** Variables by which a cluster hands out credentials, as to a ServiceAccount that has a role. */
const sources = [
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_PROFILE',
];

/** If credentials are set, they are for the endpoint, whether it is AWS or not. */
export function credentialsIn(env: Outside['env']): StoreClientOptions {
  const given = {
    region: env['AWS_REGION'],
    accessKeyId: env['AWS_ACCESS_KEY_ID'],
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'],
    sessionToken: env['AWS_SESSION_TOKEN'],
  };
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
  return { ...filled, hasCredentials: sources.some((name) => env[name]) };
}
