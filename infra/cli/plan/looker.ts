import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { type KubeConfig, loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../../shared/adapters/workload-clusters/workload-clusters.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';
import { silent } from '../../../shared/runtime/log.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { actuatorOf } from '../../host/actuator.ts';
import { createInstance } from '../../host/instance.ts';
import { type LocalApi, startLocalApi } from '../../local/apis/local-api.ts';
import { readExample } from '../../local/examples/read-example.ts';
import type { Given } from '../../local/given/given-machine.ts';
import { type ComputedBudgets, computeBudgets, uncomputedBudgets } from '../../local/load/budget-statuses.ts';
import { leavePodsToMake } from '../../local/load/pods-to-come.ts';
import { bringUp } from '../../local/platform/bring-up.ts';
import type { Cloud } from '../../local/provider/cloud.ts';
import { createLocalCloud, providedMachines } from '../../local/provider/local-cloud.ts';
import { type Manifest, readManifests } from '../../terminal/manifests.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { MachineName } from '../machine-name.ts';
import type { Source } from '../options.ts';
import { ownVariables } from '../own-variables.ts';
import { readKubeconfig } from '../read-kubeconfig.ts';
import { readWorkloads } from '../workload-paths.ts';
import { askingOnly, lookingOnly, lookingOnlyThere } from './looking-only.ts';

export interface Looker {
  environment: Environment;
  /** Of the API server. */
  url: string;
  /** What was done to the manifests. */
  notes: readonly string[];
  /** Budgets of a dump without a computed status, by `namespace/name`. */
  unknownBudgets: ReadonlySet<string>;
  /** What was given instead of a cluster. */
  given?: Given;
}

/** What a plan reads: the same ports as the functions have, without writes. */
export async function openLooker(
  { source, machine }: { source: Source; machine: MachineName },
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<Looker> {
  if (source.kind === 'cluster') {
    const kubeConfig = readKubeconfig(source);
    const url = kubeConfig.getCurrentCluster()?.server ?? '';
    return {
      environment: environmentOf({ kubeConfig, outside, closing }),
      url,
      notes: [],
      unknownBudgets: new Set(),
    };
  }
  const isExample = source.kind === 'example';
  const manifests = await (isExample ? readExample(source.name) : readManifests(source.paths));
  const machines = [machine];
  const workloads = await (isExample ? [] : readWorkloads(source.workloads, manifests, machines));
  const api = await startLocalApi({ manifests, workloads, machines, ...outside });
  closing.defer(() => api.close());
  const cloud = createLocalCloud(providedMachines(api.apiServer) ?? [], outside);
  closing.defer(() => cloud.close());
  // A dump is planned as it is.
  const budgets = await Promise.all([
    standDump(api, manifests, outside, cloud),
    ...api.workloads.map((workload, index) =>
      standDump(workload, workloads[index]?.manifests ?? [], outside),
    ),
  ]);
  const kubeConfig = loadKubeConfig({ text: api.kubeconfig });
  const environment = environmentOf({ kubeConfig, outside, closing, cloud });
  const unknownBudgets = new Set(budgets.flatMap(({ unknown }) => [...unknown]));
  if (isExample) return { environment, url: api.url, notes: [], unknownBudgets };
  const computed = budgets.flatMap((each) => each.computed);
  const notes = computed.length === 0 ? api.notes : [...api.notes, computedNote(computed)];
  return { environment, url: api.url, notes, unknownBudgets, given: api.given };
}

/** A dump is used as it is. Only budgets without a status are computed, where the dump tells enough. */
async function standDump(
  api: Pick<LocalApi, 'apiServer' | 'unknownOwners'>,
  manifests: readonly Manifest[],
  { clock }: Outside,
  cloud?: Cloud,
): Promise<ComputedBudgets> {
  const { cluster } = api.apiServer;
  const uncomputed = uncomputedBudgets(cluster);
  const isToMake = leavePodsToMake(manifests.map(({ object }) => object));
  if (isToMake) await bringUp(api, clock, cloud);
  const { computed, unknown } = computeBudgets(cluster, clock, uncomputed);
  return { computed: isToMake ? [] : computed, unknown };
}

const computedNote = (budgets: readonly string[]): string =>
  `without a status, so computed from the Pods and owners given: PodDisruptionBudget ${budgets.join(', ')}`;

interface Setting {
  kubeConfig: KubeConfig;
  outside: Outside;
  closing: AsyncDisposableStack;
  /** Asked where the environment names no provider. */
  cloud?: Actuator;
}

function environmentOf({ kubeConfig, outside, closing, cloud }: Setting): Environment {
  const { clock, random, env } = outside;
  const config = readConfig(ownVariables(env));
  const management = connect(kubeConfig, { clock });
  closing.defer(() => management.close());
  const workloads = createWorkloadClusters(management, { clock });
  closing.defer(() => workloads.close());
  const named = actuatorOf(config, management, clock);
  const { environment } = createInstance({
    management: lookingOnly(management),
    workloads: lookingOnlyThere(workloads),
    actuator: askingOnly(config.actuatorUrl === undefined ? (cloud ?? named) : named),
    store: createMemoryStore(clock),
    clock,
    random,
    log: silent,
    config,
    name: 'plan',
    outbox: { send: () => Promise.reject(new Error('a plan sends no event')), tell: () => undefined },
  });
  return environment;
}
