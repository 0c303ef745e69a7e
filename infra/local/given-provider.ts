import type { Actuator } from '../../shared/actuator/port.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import { loadKubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Clock } from '../../shared/clock.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { actuatorOf } from '../host/actuator.ts';
import { objectOf } from './kubernetes/json.ts';
import type { LocalApi } from './local-api.ts';
import type { LocalProvider } from './local-provider.ts';
import { providerIdIn } from './provider/identity.ts';
import { createRemoteCloud } from './provider/remote-cloud.ts';

export interface GivenProviderOptions {
  clock: Clock;
  log: Log;
  /** Names the provider. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * The provider that the user's environment names, for Machines of the local platform. Throws ConfigInvalid, and
 * CouldNotLook when it cannot be asked.
 */
export async function openGivenProvider(
  api: LocalApi,
  machines: readonly KubeObject[],
  { clock, log, env }: GivenProviderOptions,
): Promise<LocalProvider> {
  const config = readConfig(env);
  const management = connect(loadKubeConfig({ text: api.kubeconfig }), { clock });
  try {
    const actuator = actuatorOf(config, management, clock);
    await makeExampleServers(actuator, api, machines, log);
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

/**
 * The servers of an example never were anywhere: without them its Machines would have failed from the start. Machines of
 * a dump had theirs made by whoever owns them.
 */
async function makeExampleServers(
  actuator: Actuator,
  api: LocalApi,
  machines: readonly KubeObject[],
  log: Log,
): Promise<void> {
  for (const machine of machines) {
    if (providerIdIn(machine)?.startsWith('local:') !== true) continue;
    const answer = await actuator.create({ machine, cluster: clusterOf(machine, api) });
    if (answer.kind === 'done') {
      rename(api, machine, answer.report.providerID);
      continue;
    }
    log.warn('Provider made no server', { machine: machine.metadata.name, why: answer.message });
  }
}

/** The Node of an example goes by the name that its server had here: by the provider's it would be another Machine's. */
function rename({ apiServer }: LocalApi, machine: KubeObject, providerID: string | undefined): void {
  const before = providerIdIn(machine);
  if (providerID === undefined || providerID === before) return;
  const nodes = apiServer.cluster.list('nodes').filter((node) => providerIdIn(node) === before);
  for (const object of [machine, ...nodes]) {
    apiServer.restore({ ...object, spec: { ...objectOf(object['spec']), providerID } });
  }
}

/** Only Machines of v1alpha1 have one that a provider is told of. */
function clusterOf({ metadata }: KubeObject, { apiServer: { cluster } }: LocalApi): KubeObject | undefined {
  const name = metadata.labels?.['cluster.k8s.io/cluster-name'];
  return name === undefined ? undefined : cluster.get('clusters.cluster.k8s.io', metadata.namespace, name);
}
