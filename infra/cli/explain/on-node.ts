import type { Seen } from '../../../shared/explain/seen.ts';
import type { Kubernetes, WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type {
  PersistentVolume,
  Pod,
  PodDisruptionBudget,
  VolumeAttachment,
} from '../../../shared/kubernetes/objects.ts';
import { readOr } from '../../../shared/kubernetes/read-or.ts';
import {
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  volumeAttachments,
} from '../../../shared/kubernetes/resources.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import type { Environment } from '../../../shared/runtime/environment.ts';

type OnNode = Pick<Seen, 'pods' | 'budgets' | 'attachments' | 'volumes'>;

const nothing: OnNode = { pods: [], budgets: [], attachments: [], volumes: [] };

interface Wanted {
  workload: WorkloadRef | undefined;
  nodeName: string | undefined;
  plan: DeletionPlan;
}

/** What the causes of a plan are about, read where the Node is. What no cause is about is not read. */
export async function whatIsOn(env: Environment, { workload, nodeName, plan }: Wanted): Promise<OnNode> {
  if (workload === undefined || nodeName === undefined) return nothing;
  const there = await readOr(undefined, () => env.workloads.of(workload));
  if (there === undefined) return nothing;
  const [found, budgets, attachments, volumes] = await Promise.all([
    plan.pods.length === 0 ? [] : podsOn(there, nodeName),
    budgetsOf(there, plan),
    plan.volumes.length === 0 ? [] : attachmentsTo(there, nodeName),
    plan.volumes.length === 0 ? [] : volumesOf(there),
  ]);
  return { pods: found, budgets, attachments, volumes };
}

const none = { items: [], resourceVersion: '' };

async function podsOn(there: Kubernetes, nodeName: string): Promise<readonly Pod[]> {
  const list = await readOr(none, () => there.list(pods, { fieldSelector: `spec.nodeName=${nodeName}` }));
  return list.items;
}

/** Those that refuse, each once. */
async function budgetsOf(there: Kubernetes, { refusals }: DeletionPlan): Promise<PodDisruptionBudget[]> {
  const keys = new Set(refusals.flatMap(({ budget }) => budget ?? []));
  const read = [...keys].map(async (key): Promise<PodDisruptionBudget[]> => {
    const [namespace = '', name = ''] = key.split('/');
    const budget = await readOr(undefined, () => there.get(podDisruptionBudgets, { namespace, name }));
    return budget === undefined ? [] : [budget];
  });
  return (await Promise.all(read)).flat();
}

async function attachmentsTo(there: Kubernetes, nodeName: string): Promise<VolumeAttachment[]> {
  const { items } = await readOr(none, () => there.list(volumeAttachments));
  return items.filter(({ spec }: VolumeAttachment) => spec?.nodeName === nodeName);
}

async function volumesOf(there: Kubernetes): Promise<readonly PersistentVolume[]> {
  return (await readOr(none, () => there.list(persistentVolumes))).items;
}
