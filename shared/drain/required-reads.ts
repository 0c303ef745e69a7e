import type { Pod } from '../kubernetes/objects.ts';
import { isFinished } from '../kubernetes/pod.ts';
import { sortedByBytes } from '../text/byte-order.ts';
import { daemonSetOf } from './daemon-set.ts';
import { askEarlyFilters, deletedFilter, type EarlyContext } from './filters.ts';
import type { ApplicableRule } from './rules.ts';

/**
 * `namespace/name` of the DaemonSets that Pods' verdicts depend on: those of Pods that have not finished and that
 * no earlier filter decides.
 */
export function daemonSetsToLookUp(
  pods: readonly Pod[],
  context: Omit<EarlyContext, 'daemonSets'>,
): string[] {
  const open = pods.filter((pod) => !isFinished(pod) && !isAlreadyDecided(pod, context));
  const owners = open.map((pod) => daemonSetOf(pod, context.daemonSetOwners));
  return sortedByBytes(new Set(owners.filter((each) => each !== undefined)));
}

const isAlreadyDecided = (pod: Pod, context: Omit<EarlyContext, 'daemonSets'>): boolean =>
  deletedFilter(pod, { ...context, daemonSets: new Map() }).kind !== 'pass';

/**
 * Whether some Pod's verdict depends on the rules, or on whether there are any: if not, they need not be read.
 */
export const rulesMatter = (pods: readonly Pod[], context: EarlyContext): boolean =>
  pods.some((pod) => askEarlyFilters(pod, context).decided === undefined);

/** Whether some rule asks for the labels of Pods' namespaces: if not, they need not be read. */
export const namespacesMatter = (rules: readonly ApplicableRule[]): boolean =>
  rules.some((rule) => rule.asksForNamespace);
