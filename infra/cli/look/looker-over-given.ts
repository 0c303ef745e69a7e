import { loadKubeConfig } from '../../../shared/adapters/kubernetes/kube-config.ts';
import { type LocalApi, startLocalApi } from '../../local/apis/local-api.ts';
import { readExample } from '../../local/examples/read-example.ts';
import { notGivenOf } from '../../local/given/node.ts';
import { withoutBulk } from '../../local/given/without-bulk.ts';
import { type ComputedBudgets, computeBudgets, uncomputedBudgets } from '../../local/load/budget-statuses.ts';
import { leavePodsToMake } from '../../local/load/stand-ins.ts';
import { bringUp } from '../../local/platform/bring-up.ts';
import { type Cloud, createLocalCloud, providedMachines } from '../../local/provider/cloud.ts';
import { type Manifest, readManifests } from '../../terminal/manifests.ts';
import type { Outside } from '../../terminal/outside.ts';
import { readWorkloads } from '../read-workloads.ts';
import type { Look, Looker } from './looker.ts';
import { lookerIn } from './looker-over.ts';
import type { LookSource } from './options.ts';

/** The same over manifests: a cluster of this process serves them. */
export async function lookerOverGiven(
  { source, machine, goesOnWithout, many }: Look & { source: Exclude<LookSource, { kind: 'cluster' }> },
  outside: Outside,
  closing: AsyncDisposableStack,
): Promise<Looker> {
  const isExample = source.kind === 'example';
  const keep = many && withoutBulk;
  const manifests = await (isExample ? readExample(source.name) : readManifests(source.paths, keep));
  const machines = machine && [machine];
  const workloads = await (isExample ? [] : readWorkloads(source.workloads, manifests, machines, keep));
  const api = await startLocalApi({ manifests, workloads, machines, isOnlyShown: true, ...outside });
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
  const setting = { kubeConfig, outside, closing, cloud, goesOnWithout, many };
  const unknownBudgets = new Set(budgets.flatMap(({ unknown }) => [...unknown]));
  if (isExample) return lookerIn(setting, { unknownBudgets, notes: [], notGiven: () => ({}) });
  const computed = budgets.flatMap((each) => each.computed);
  const notes = computed.length === 0 ? api.notes : [...api.notes, computedNote(computed)];
  const { given } = api;
  return lookerIn(setting, { unknownBudgets, notes, given, notGiven: (ref) => notGivenOf(ref, given) });
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
