import * as z from 'zod';
import type { Labels } from '../kubernetes/label-selector.ts';
import { pairsIn } from '../kubernetes/selector-pairs.ts';
import type { LastingCause } from '../machine/lasting-cause.ts';
import { durationOrNone } from '../machine/own-kind.ts';
import { selector } from '../machine/selection.ts';

/** The causes that something may be done about. An operator's budget is not one: it moves what it keeps. */
export const blockedCauses = [
  'BudgetNeverAllows',
  'BudgetExhausted',
  'MultipleBudgets',
  'AdmissionWebhook',
] as const;

/** What may be done about a Pod that is not let go. */
export const blockedActions = ['RolloutRestart', 'Delete'] as const;

/** One of `blockedActions`. */
export type BlockedAction = (typeof blockedActions)[number];

/** The words of `--actions` and `PHASEOUT_ACTIONS`. */
export const actionWords: Readonly<Record<BlockedAction, string>> = {
  RolloutRestart: 'rollout-restart',
  Delete: 'delete',
};

/** The actions by those words. */
export const actionsByWord: Readonly<Record<string, BlockedAction>> = Object.fromEntries(
  blockedActions.map((action) => [actionWords[action], action]),
);

const entrySchema = z.looseObject({
  cause: z.enum(blockedCauses),
  after: durationOrNone,
  pods: z
    .object({ selector: selector.exactOptional(), namespaceSelector: selector.exactOptional() })
    .default({}),
  action: z.enum(blockedActions),
  /** A restart moves all Pods of the Deployment. */
  maxReplicas: z.int().min(1).default(1),
});

/** The field `blocked` of a DrainPolicy. */
export const blockedField = z.array(entrySchema).default([]);

/** What a DrainPolicy does about Pods that one cause keeps. */
export type BlockedEntry = z.infer<typeof entrySchema>;

/** A DrainPolicy, as far as it says what is done about Pods that are not let go. */
export interface BlockedRules {
  name: string;
  entries: readonly BlockedEntry[];
}

/** A Pod that is not let go, and why. */
export interface BlockedPod {
  labels: Labels;
  /** Undefined where they were not read. */
  namespaceLabels: Labels | undefined;
  lasting: LastingCause;
}

/** The entry that decides for a Pod, of the policy of that name. */
export interface Ruling {
  policy: string;
  entry: BlockedEntry;
}

/** The first entry that fits, by policies in order of names. Undefined also where a selector before it cannot be told. */
export function rulingFor(rules: readonly BlockedRules[], pod: BlockedPod): Ruling | undefined {
  for (const { name: policy, entries } of rules) {
    for (const entry of entries.filter(({ cause }) => cause === pod.lasting.cause)) {
      const fits = isForPod(entry, pod);
      if (fits === undefined) return undefined;
      if (fits) return { policy, entry };
    }
  }
  return undefined;
}

function isForPod({ pods }: BlockedEntry, { labels, namespaceLabels }: BlockedPod): boolean | undefined {
  const isUnread = namespaceLabels === undefined && asksForNamespace({ pods });
  const { namespaceSelector: _unread, ...own } = pods;
  const [pair] = pairsIn('pods', [isUnread ? own : pods], 'namespaceSelector');
  const matches = pair?.matches(labels, namespaceLabels ?? {});
  return isUnread && matches === true ? undefined : matches;
}

/** Whether labels of namespaces decide which Pods it is for. */
export const asksForNamespace = ({ pods }: Pick<BlockedEntry, 'pods'>): boolean =>
  Object.keys(pods.namespaceSelector ?? {}).length > 0;
