import { randomBytes } from 'node:crypto';
import type { Log } from '../../../shared/runtime/log.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { LocalApi } from '../apis/local-api.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import type { RequestTally } from '../kubernetes/server/request-counts.ts';
import type { Cloud } from './cloud.ts';
import { type Env, type LocalProvider, openGivenProvider } from './external.ts';
import { createLocalCloud, providedMachines } from './local-cloud.ts';
import { startProvider } from './serve.ts';

export interface LocalProviderOptions {
  clock: Clock;
  random: () => number;
  log: Log;
  /** A provider that is named here is used in the place of the local one. */
  env?: Env | undefined;
  /** Counts what is asked of the API server for it. */
  tally?: RequestTally;
}

/**
 * Starts a slow cloud behind the HTTP contract, where the Machines that are served need a provider and the environment
 * names none. Throws ConfigInvalid, Unavailable.
 */
export async function openLocalProvider(
  api: LocalApi,
  { env = {}, ...options }: LocalProviderOptions,
): Promise<LocalProvider> {
  const machines = providedMachines(api.apiServer);
  if (machines === undefined) return { cloud: undefined, env: {}, close: () => Promise.resolve() };
  if (env['PHASEOUT_ACTUATOR_URL']) return openGivenProvider(api, machines, { ...options, env });
  return startOwn(api, createLocalCloud(machines, options));
}

const secret = { namespace: 'phaseout', name: 'provider-token' };

async function startOwn(api: LocalApi, cloud: Cloud): Promise<LocalProvider> {
  const token = randomBytes(24).toString('base64url');
  const provider = await startProvider({ cloud, token });
  storeToken(api.apiServer, token);
  return {
    cloud,
    env: {
      PHASEOUT_ACTUATOR_URL: provider.url,
      PHASEOUT_ACTUATOR_SECRET: `${secret.namespace}/${secret.name}`,
    },
    async close() {
      cloud.close();
      await provider.close();
    },
  };
}

/** Where a real cluster would have it. */
function storeToken(apiServer: ApiServer, token: string): void {
  apiServer.restore({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: secret.namespace } });
  apiServer.restore({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: secret,
    stringData: { token },
  });
}
