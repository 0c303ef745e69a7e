import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { actuatorOf } from '../../host/actuator.ts';
import type { LocalApi } from '../apis/local-api.ts';
import type { RequestTally } from '../kubernetes/server/request-counts.ts';
import type { Cloud } from './cloud.ts';
import { makeExampleServers } from './example-servers.ts';
import { createRemoteCloud } from './remote-cloud.ts';

export interface GivenProviderOptions {
  clock: Clock;
  log: Log;
  /** Names the provider. */
  env: Readonly<Record<string, string | undefined>>;
  /** Counts the requests for the provider's token. */
  tally?: RequestTally | undefined;
}

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
  const management = connect(loadKubeConfig({ text: api.kubeconfig }), { clock, ...counting });
  try {
    const actuator = actuatorOf(config, management, clock);
    await makeExampleServers(machines, { actuator, api, clock, log });
    const cloud = createRemoteCloud({ actuator, clock });
    const close = async (): Promise<void> => {
      cloud.close();
      await management.close();
    };
    return { cloud, actuator: cloud, env: {}, close };
  } catch (error) {
    await management.close();
    throw error;
  }
}

/** What keeps the servers of the local platform's Machines. */
export interface LocalProvider {
  /** What the local controllers know of the servers; undefined where no Machine API has them kept by a provider. */
  cloud: Cloud | undefined;
  /** Asked by the functions instead of the one that the environment names. */
  actuator?: Actuator;
  /** By which the functions find the provider. */
  env: Env;
  close(): Promise<void>;
}

export type Env = Readonly<Record<string, string | undefined>>;
