import type { Actuator } from '../../../shared/actuator/port.ts';
import { connect } from '../../../shared/adapters/kubernetes/connect.ts';
import { type KubeConfig, loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../../shared/adapters/workload-clusters/workload-clusters.ts';
import type { Kubernetes, WorkloadClusters } from '../../../shared/kubernetes/client.ts';
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
import { ownVariables } from '../own-variables.ts';
import { readWorkloads } from '../workload-paths.ts';
import { forbiddingTransport } from './forbidden.ts';
import { wayTo } from './kubeconfig.ts';
import { askingOnly, lookingOnly, lookingOnlyThere } from './looking-only.ts';
import type { LookSource } from './options.ts';
import { type GoesOnWithout, UnreadNotes } from './unread-notes.ts';

/** Where to look, and what the look goes on without. */
export interface Look {
  source: LookSource;
  /** The one that it is about; undefined where it is about all. */
  machine?: MachineName;
  goesOnWithout: GoesOnWithout;
}

/** What a command that only looks has. */
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
  /** What could not be read so far, a sentence each. */
  unread: () => readonly string[];
}

/** The same ports as the functions have, without writes: as the user, and over the kubeconfig of the user. */
export async function openLooker(
  { source, machine, goesOnWithout }: Look,
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<Looker> {
  const unread = new UnreadNotes(goesOnWithout);
  if (source.kind === 'cluster') {
    const kubeConfig = await wayTo(source, outside);
    const workload = source.workload && (await wayTo(source.workload, outside));
    const url = kubeConfig.getCurrentCluster()?.server ?? '';
    return {
      environment: environmentOf({ kubeConfig, workload, outside, closing, unread }),
      url,
      notes: [],
      unknownBudgets: new Set(),
      unread: () => unread.all,
    };
  }
  const isExample = source.kind === 'example';
  const manifests = await (isExample ? readExample(source.name) : readManifests(source.paths));
  const machines = machine && [machine];
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
  const environment = environmentOf({ kubeConfig, outside, closing, cloud, unread });
  const unknownBudgets = new Set(budgets.flatMap(({ unknown }) => [...unknown]));
  const looker = { environment, url: api.url, unknownBudgets, unread: () => unread.all };
  if (isExample) return { ...looker, notes: [] };
  const computed = budgets.flatMap((each) => each.computed);
  const notes = computed.length === 0 ? api.notes : [...api.notes, computedNote(computed)];
  return { ...looker, notes, given: api.given };
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
  /** Leads to the Nodes in place of the kubeconfig Secrets. */
  workload?: KubeConfig | undefined;
  outside: Outside;
  closing: AsyncDisposableStack;
  /** Asked where the environment names no provider. */
  cloud?: Actuator;
  unread: UnreadNotes;
}

function environmentOf({ kubeConfig, workload, outside, closing, cloud, unread }: Setting): Environment {
  const { clock, random, env } = outside;
  const config = readConfig(ownVariables(env));
  const connected = connect(kubeConfig, { clock, carry: forbiddingTransport });
  closing.defer(() => connected.close());
  const management = unread.notingReads(lookingOnly(connected), '');
  const workloads = workloadsOf(management, { workload, outside, closing });
  const named = actuatorOf(config, management, clock);
  const { environment } = createInstance({
    management,
    workloads: lookingOnlyThere(workloads, unread),
    actuator: askingOnly(config.actuatorUrl === undefined ? (cloud ?? named) : named),
    store: createMemoryStore(clock),
    clock,
    random,
    log: silent,
    config,
    name: 'look',
    outbox: { send: () => Promise.reject(new Error('a look sends no event')), tell: () => undefined },
  });
  return environment;
}

/** By the kubeconfig Secrets of the Clusters, or all by one way that the user has. */
function workloadsOf(
  management: Kubernetes,
  { workload, outside: { clock }, closing }: Pick<Setting, 'workload' | 'outside' | 'closing'>,
): WorkloadClusters {
  const bySecret = createWorkloadClusters(management, { clock, connection: { carry: forbiddingTransport } });
  closing.defer(() => bySecret.close());
  if (workload === undefined) return bySecret;
  const there = connect(workload, { clock, carry: forbiddingTransport });
  closing.defer(() => there.close());
  return {
    of: async (wanted) =>
      wanted.kind === 'here' ? bySecret.of(wanted) : { ...there, evictAll: () => Promise.resolve(new Map()) },
  };
}
