import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { type KubeConfig, loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../../shared/adapters/kubernetes/workload-clusters.ts';
import { noActuator } from '../../../shared/actuator/none.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/memory.ts';
import { createInstance } from '../../host/instance.ts';
import { bringUp } from '../../local/bring-up.ts';
import { type LocalApi, startLocalApi } from '../../local/local-api.ts';
import { readManifests } from '../../local/manifests.ts';
import { readExample } from '../../local/read-example.ts';
import type { Source } from '../options.ts';
import type { Outside } from '../outside.ts';
import { readKubeconfig } from '../read-kubeconfig.ts';
import { lookingOnly, lookingOnlyThere } from './looking-only.ts';

export interface Looker {
  environment: Environment;
  /** Of the API server. */
  url: string;
  /** What was done to the manifests. */
  notes: readonly string[];
}

/** What a plan is made from: the functions' own surroundings, in which nothing can be written. */
export async function openLooker(
  source: Source,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<Looker> {
  if (source.kind === 'cluster') {
    const kubeConfig = readKubeconfig(source);
    const url = kubeConfig.getCurrentCluster()?.server ?? '';
    return { environment: environmentOf(kubeConfig, outside, closing), url, notes: [] };
  }
  const api = await openLocal(source, outside);
  closing.defer(() => api.close());
  const environment = environmentOf(loadKubeConfig({ text: api.kubeconfig }), outside, closing);
  return { environment, url: api.url, notes: source.kind === 'manifests' ? api.notes : [] };
}

/** A dump is planned as it is. The example only says which Pods there should be: somebody has to make them. */
async function openLocal(
  source: Source & { kind: 'example' | 'manifests' },
  outside: Outside,
): Promise<LocalApi> {
  const isExample = source.kind === 'example';
  const manifests = isExample ? await readExample(source.name) : await readManifests(source.paths);
  const api = await startLocalApi({ manifests, ...outside });
  if (isExample) await bringUp(api, outside.clock);
  return api;
}

function environmentOf(kubeConfig: KubeConfig, outside: Outside, closing: AsyncDisposableStack): Environment {
  const { clock, random } = outside;
  const management = connect(kubeConfig, { clock });
  closing.defer(() => management.close());
  const workloads = createWorkloadClusters(management, { clock });
  closing.defer(() => workloads.close());
  const { environment } = createInstance({
    management: lookingOnly(management),
    workloads: lookingOnlyThere(workloads),
    actuator: noActuator,
    store: createMemoryStore(clock),
    clock,
    random,
    log: silent,
    config: readConfig({}),
    name: 'plan',
    outbox: { send: () => Promise.reject(new Error('a plan tells nobody')), tell: () => undefined },
  });
  return environment;
}
