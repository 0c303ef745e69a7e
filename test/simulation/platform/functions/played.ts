import type { HookPlace } from '../../../../shared/machine/hook-call.ts';

/** How the function of a DeletionHook behaves. */
export interface Behaviour {
  /** What it says until it is done; undefined where it says nothing. */
  until: 'Working' | 'Failed' | undefined;
  /** After how many calls about one Machine it is done; undefined where it never is. */
  calls: number | undefined;
  /** For how many seconds it wants not to be asked, each time that it is not done. */
  retryAfter?: number;
}

interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** The fields of a DeletionHook that worlds differ in. Times are written as `30s`. */
export interface HookSpec {
  at: HookPlace;
  order: number;
  every: string;
  silentAfter: string;
  timeout?: string;
  onTimeout?: 'Hold' | 'Proceed';
  onClusterDeletion: 'Hold' | 'Proceed';
  controlPlanes: boolean;
  machines?: readonly { selector?: LabelSelector; clusterSelector?: LabelSelector }[];
  send?: { labels: string[] };
  contact?: string;
}

/** A DeletionHook, and how its function behaves. */
export interface PlayedHook {
  namespace: string;
  name: string;
  spec: HookSpec;
  plays: Behaviour;
}

/** `namespace/name`, as calls and Triggers name it. */
export const titleOfHook = ({ namespace, name }: Pick<PlayedHook, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

/** Whether its function is never done, and nobody has decided in advance that the Machine goes on without it. */
export const isHeldForEver = ({ plays, spec }: Pick<PlayedHook, 'plays' | 'spec'>): boolean =>
  plays.calls === undefined && spec.onTimeout !== 'Proceed';

/** Of a time such as `1m30s`. */
export function secondsOf(text: string): number {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  const [hours = 0, minutes = 0, seconds = 0] = (parts ?? []).slice(1).map((part) => Number(part ?? 0));
  return hours * 3_600 + minutes * 60 + seconds;
}
