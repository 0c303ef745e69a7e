import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import type { Kubernetes } from '../../shared/kubernetes/port.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { dialectsOf } from './dialects.ts';
import type { OpenStore } from './open-store.ts';
import type { Needed } from './readiness.ts';
import { NoMachineApi, servedMachineApis } from './served-machine-apis.ts';

interface Reached {
  kubeConfig: KubeConfig;
  management: Pick<Kubernetes, 'discover'>;
  opened: Pick<OpenStore, 'answer'>;
  config: Config;
  log: Log;
}

/** What the functions cannot do without. Both reads take no right that the functions do not need anyway. */
export const needsOf = (reached: Reached): Needed[] => [
  { name: 'the Kubernetes API', ask: () => askForMachineApis(reached) },
  { name: 'the store', ask: () => reached.opened.answer() },
];

/** Which Machine APIs there are is also the first thing that anybody with a problem wants to know. */
async function askForMachineApis({ kubeConfig, management, config, log }: Reached): Promise<void> {
  try {
    const where = kubeConfig.getCurrentCluster()?.server ?? '';
    const served = await servedMachineApis(management, where, dialectsOf(config));
    log.info('Machine APIs are served', { served: served.map(({ apiVersion }) => apiVersion) });
  } catch (error) {
    if (!(error instanceof NoMachineApi)) throw error;
    // An answer as well, and one that may be another tomorrow.
    log.warn('No Machine API is served', { why: error.message });
  }
}
