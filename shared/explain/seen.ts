import type { Dialect } from '../dialects/dialect.ts';
import type {
  KubeObject,
  PersistentVolume,
  Pod,
  PodDisruptionBudget,
  VolumeAttachment,
} from '../kubernetes/objects.ts';
import type { Machine } from '../machine/machine.ts';
import type { DeletionPlan } from '../plan/deletion-plan.ts';
import type { HistoryEntry } from '../store/port.ts';
import type { Instant } from '../time/clock.ts';
import type { Standing } from './standing.ts';

/** How the user calls kubectl for each cluster, up to its first word. */
export interface Kubectl {
  management: string;
  workload: string;
  /** Makes the kubeconfig that `workload` names, where that has to be made first. */
  preparing?: string;
}

/** All that an explanation is made from. What was not read is empty or absent, and said in `unread`. */
export interface Seen {
  now: Instant;
  machine: Machine;
  dialect: Dialect;
  /** Absent for a Machine that is not being deleted. */
  standing?: Standing | undefined;
  plan: DeletionPlan;
  /** Absent where it was not read, or there is none. */
  infrastructure?: KubeObject | undefined;
  bootstrap?: KubeObject | undefined;
  /** Of the Node. */
  pods: readonly Pod[];
  /** Those that refuse. */
  budgets: readonly PodDisruptionBudget[];
  /** Of the Node. */
  attachments: readonly VolumeAttachment[];
  volumes: readonly PersistentVolume[];
  /** Absent where none was read. */
  history?: readonly HistoryEntry[] | undefined;
  unread: readonly string[];
  kubectl: Kubectl;
}
