import type { Assessment } from '../assess/assessment.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Observed } from '../dialects/gate.ts';
import type { KubeObject, Pod, PodDisruptionBudget } from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import type { DeletionPlan } from '../plan/deletion-plan.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Instant } from '../time/clock.ts';
import type { NodeAttachment } from '../volumes/attachments.ts';
import type { DeletionStatus } from './deletion-status.ts';

/** How the user calls kubectl for each cluster, up to its first word. */
export interface Kubectl {
  management: string;
  workload: string;
  /** Makes the kubeconfig that `workload` names, where that has to be made first. */
  preparing?: string;
}

/** All that an explanation is made from: an assessment. What was not looked at is empty or absent, and said in `unread`. */
export interface Seen {
  now: Instant;
  machine: Machine;
  dialect: Dialect;
  /** Absent for a Machine that is not being deleted. */
  standing?: DeletionStatus | undefined;
  plan: DeletionPlan;
  /** Absent where it was not read, or there is none. */
  infrastructure?: KubeObject | undefined;
  bootstrap?: KubeObject | undefined;
  /** Why its Node is not proven to be its own; absent where that is. */
  unknownNode?: string;
  /** Of the Node. */
  pods: readonly Pod[];
  /** Of the namespaces of Pods that have to go. */
  budgets: readonly PodDisruptionBudget[];
  /** Of the Node; of those that are waited for, with their claims. */
  attachments: readonly (NodeAttachment & { claim?: string })[];
  /** Absent where none was read. */
  history?: readonly HistoryEntry[] | undefined;
  unread: readonly string[];
  kubectl: Kubectl;
}

interface LookedAt {
  assessment: Assessment;
  plan: DeletionPlan;
  standing: DeletionStatus | undefined;
  unread: readonly string[];
  kubectl: Kubectl;
}

/** What an assessment has seen for an explanation. */
export function seenIn({ assessment, ...told }: LookedAt): Seen {
  const { machine, dialect, now, onNode, infrastructure, bootstrap } = assessment;
  const { verdicts = [], refusals, detach, attachments = [] } = onNode;
  const awaited = detach?.kind === 'attached' ? detach.attachments : undefined;
  return {
    ...told,
    now,
    machine,
    dialect,
    infrastructure: objectOf(infrastructure),
    bootstrap: objectOf(bootstrap),
    ...(onNode.notOwn !== undefined && { unknownNode: onNode.notOwn.why }),
    pods: verdicts.map(({ pod }) => pod),
    budgets: refusals?.budgets ?? [],
    attachments: awaited ?? attachments,
  };
}

const objectOf = (observed: Observed): KubeObject | undefined =>
  observed.kind === 'present' ? observed.object : undefined;
