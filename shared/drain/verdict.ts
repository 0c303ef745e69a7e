import type { Pod } from '../kubernetes/objects.ts';

/** What a rule or a label says of a Pod. */
export type Behavior = 'Drain' | 'Skip' | 'WaitCompleted';

/** What is to be done with one Pod, and what decided it. */
export interface PodVerdict {
  pod: Pod;
  behavior: Behavior;
  /** Lowest first; 0 where nothing sets one. */
  order: number;
  /** For people: `DaemonSet kube-system/proxy`, `mirror Pod`, `label cluster.x-k8s.io/drain=skip`, `MachineDrainRule first`, `default`. */
  decidedBy: string;
  warnings: string[];
  /** It stays by a label or a rule, or because it is phaseout's own. No drain evicts any other Pod that stays. */
  stays?: 'by-wish' | 'as-ours';
}

/** Why Pods cannot be judged: the drain fails with this text, in the words of Cluster API. */
export interface VerdictFailure {
  message: string;
  /** The rule that is at fault, where one is. */
  rule?: string;
}
