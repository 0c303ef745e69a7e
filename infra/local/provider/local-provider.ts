import { randomBytes } from 'node:crypto';
import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { InstanceLog } from '../../../shared/runtime/log.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { actuatorOf } from '../../host/actuator.ts';
import type { LocalApi } from '../apis/local-api.ts';
import { opened } from '../apis/opened.ts';
import type { ApiServer } from '../kubernetes/server/api-server.ts';
import type { RequestTally } from '../kubernetes/server/request-counts.ts';
import { type Cloud, createLocalCloud, providedMachines } from './cloud.ts';
import { makeExampleServers } from './example-servers.ts';
import { createRemoteCloud } from './remote-cloud.ts';
import { startProvider } from './serve.ts';

export interface LocalProviderOptions {
  clock: Clock;
  random: () => number;
  log: InstanceLog;
  /** A provider that is named here is used in the place of the local one. */
  env?: Env | undefined;
  /** Counts what is asked of the API server for it. */
  tally?: RequestTally;
}

/**
 * Starts a slow cloud behind the HTTP contract, where served Machines need a provider and the environment names none.
 * Throws ConfigInvalid, Unavailable.
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

/** With what names the provider. */
type GivenProviderOptions = Omit<LocalProviderOptions, 'random'> & { env: Env };

/**
 * The provider that the user's environment names, for Machines of the local platform. Throws ConfigInvalid, and
 * Unavailable when it cannot be asked.
 */
export async function openGivenProvider(
  api: LocalApi,
  machines: readonly KubeObject[],
  { clock, log, env, tally }: GivenProviderOptions,
): Promise<LocalProvider> {
  const config = readConfig(env);
  const counting = tally === undefined ? {} : { onRequest: tally.add };
  return opened(async (closing) => {
    const management = connect(loadKubeConfig({ text: api.kubeconfig }), { clock, ...counting });
    closing.defer(() => management.close());
    const actuator = actuatorOf(config, management, clock);
    await makeExampleServers(machines, { actuator, api, clock, log });
    const cloud = createRemoteCloud({ actuator, clock });
    closing.defer(() => cloud.close());
    return { cloud, actuator: cloud, env: {}, close: () => closing.disposeAsync() };
  });
}

/** What keeps the servers of the local platform's Machines. */
interface LocalProvider {
  /** What the local controllers know of the servers; undefined where no Machine API has them kept by a provider. */
  cloud: Cloud | undefined;
  /** Asked by the functions instead of the one that the environment names. */
  actuator?: Actuator;
  /** By which the functions find the provider. */
  env: Env;
  close(): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;
