import type { Agent } from 'node:http';
import { createStoreClient } from '../../../shared/adapters/dynamodb/client.ts';
import { createDynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { credentialsIn } from '../../host/open-store.ts';
import { compact } from '../../local/kubernetes/server/json.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { NamedTable } from './options.ts';
import type { OpenArchive, Patience } from './way.ts';

interface Around {
  outside: Pick<Outside, 'env' | 'clock'>;
  closing: AsyncDisposableStack;
  patience: Patience;
  /** Makes the connections. */
  agent?: Agent | undefined;
}

/** A search of AWS's would go out for what a store on this machine, or behind a Pod, never asks. */
function credentialsFor(
  endpoint: string | undefined,
  { env, agent }: Pick<Around, 'agent'> & Pick<Outside, 'env'>,
) {
  const { hasCredentials, ...given } = credentialsIn(env);
  const isNear = agent !== undefined || (endpoint !== undefined && isLoopback(endpoint));
  return isNear ? given : { ...given, ...(hasCredentials !== undefined && { hasCredentials }) };
}

const isLoopback = (endpoint: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(endpoint).hostname);

/** Opens no connection: whether the table answers is known with the first question. */
export function openTable(
  { table = readConfig({}).table, endpoint, region }: NamedTable,
  { outside: { env, clock }, closing, agent, patience }: Around,
): OpenArchive {
  const { requestTimeout, timeoutMilliseconds } = patience;
  const client = createStoreClient({
    ...credentialsFor(endpoint, { env, agent }),
    ...compact({ endpoint, region, agent }),
    requestTimeout,
  });
  closing.defer(() => client.destroy());
  const place = endpoint ?? region ?? env['AWS_REGION'];
  return {
    archive: createDynamoStore({ client, table, clock, timeoutMilliseconds }),
    where: `table ${table}${place === undefined ? '' : ` (${place})`}`,
  };
}
