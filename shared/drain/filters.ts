import { Unavailable } from '../kubernetes/errors.ts';
import { controllerOf, isFinished, type Pod } from '../kubernetes/objects.ts';
import { sortedByBytes } from '../text/byte-order.ts';
import type { Instant } from '../time/clock.ts';
import type { Behavior } from './verdict.ts';

/** What the filters that come before the rules need to know. */
export interface EarlyContext {
  now: Instant;
  /** The Node's kubelet is not heard. */
  unreachable: boolean;
  /** By `namespace/name`. A lookup that failed is not in here: it ends the look. */
  daemonSets: ReadonlyMap<string, 'present' | 'absent'>;
  daemonSetOwners: DaemonSetOwners;
  /** Pods may say by a label what is to be done with them. */
  labelsCount: boolean;
  /** Where phaseout itself runs: its Pods are left to the API's own controller, which drains after it. */
  ownNamespace?: string | undefined;
}

interface Pass {
  kind: 'pass';
  warning?: string;
}

export interface Decided {
  kind: 'decided';
  behavior: Behavior;
  order: number;
  decidedBy: string;
  warning?: string;
  stays?: 'by-wish' | 'as-ours';
}

/** What one filter says about a Pod. */
type FilterAnswer = Pass | Decided;

type PodFilter = (pod: Pod, context: EarlyContext) => FilterAnswer;

const pass: Pass = { kind: 'pass' };

const skip = (decidedBy: string): Decided => ({
  kind: 'decided',
  behavior: 'Skip',
  order: 0,
  decidedBy,
});

const unreachableGraceSeconds = 1;

/** On an unreachable Node, the end of a Pod that should be gone is never seen. */
const deletedFilter: PodFilter = (pod, { now, unreachable }) => {
  const { deletionTimestamp } = pod.metadata;
  if (!unreachable || deletionTimestamp === undefined) return pass;
  const wholeSeconds = Math.trunc((now - Date.parse(deletionTimestamp)) / 1000);
  return wholeSeconds > unreachableGraceSeconds ? skip('deletionTimestamp on an unreachable Node') : pass;
};

/** A DaemonSet's Pods tolerate every Node: evicted ones would come back. Finished and orphaned ones may go. */
const daemonSetFilter: PodFilter = (pod, { daemonSets, daemonSetOwners }) => {
  const daemonSet = daemonSetOf(pod, daemonSetOwners);
  if (daemonSet === undefined || isFinished(pod)) return pass;
  const presence = daemonSets.get(daemonSet);
  if (presence === undefined) throw new Unavailable(`DaemonSet ${daemonSet} was not looked up`);
  if (presence === 'absent') return { kind: 'pass', warning: 'evicting orphaned DaemonSet-managed Pod' };
  return { ...skip(`DaemonSet ${daemonSet}`), warning: 'ignoring DaemonSet-managed Pod' };
};

/** A static Pod's mirror: the kubelet keeps the Pod whatever becomes of the object. */
const mirrorFilter: PodFilter = (pod) =>
  pod.metadata.annotations?.['kubernetes.io/config.mirror'] === undefined ? pass : skip('mirror Pod');

/** Evicted here, phaseout would stop in the midst of the drain, and may find no other Node. */
const ownFilter: PodFilter = (pod, { ownNamespace }) =>
  ownNamespace !== undefined && pod.metadata.namespace === ownNamespace
    ? { ...skip('phaseout itself'), stays: 'as-ours' }
    : pass;

const localStorageFilter: PodFilter = (pod) => {
  const hasLocalStorage = pod.spec?.volumes?.some(
    ({ emptyDir }) => emptyDir !== undefined && emptyDir !== null,
  );
  return hasLocalStorage && !isFinished(pod)
    ? { kind: 'pass', warning: 'evicting Pod with local storage' }
    : pass;
};

const unmanagedFilter: PodFilter = (pod) =>
  controllerOf(pod) === undefined && !isFinished(pod)
    ? { kind: 'pass', warning: 'evicting Pod that has no controller' }
    : pass;

const drainLabel = 'cluster.x-k8s.io/drain';

/** The Pod's own word. Case does not matter, nor does the first hyphen of `wait-completed`; other values say nothing. */
const labelFilter: PodFilter = (pod, { labelsCount }) => {
  if (!labelsCount) return pass;
  const value = pod.metadata.labels?.[drainLabel];
  const decidedBy = `label ${drainLabel}=${value}`;
  if (value?.toLowerCase() === 'skip') return { ...skip(decidedBy), stays: 'by-wish' };
  if (value?.replace('-', '').toLowerCase() !== 'waitcompleted') return pass;
  return { ...skip(decidedBy), behavior: 'WaitCompleted' };
};

/** In this order; the first that decides is the last that is asked. */
const earlyFilters: readonly PodFilter[] = [
  deletedFilter,
  daemonSetFilter,
  mirrorFilter,
  ownFilter,
  localStorageFilter,
  unmanagedFilter,
  labelFilter,
];

/** The answer that decides, if an early filter does, and the warnings of those that let the Pod pass. */
export function askEarlyFilters(pod: Pod, context: EarlyContext): { decided?: Decided; warnings: string[] } {
  const warnings: string[] = [];
  for (const filter of earlyFilters) {
    const answer = filter(pod, context);
    if (answer.kind === 'decided') return { decided: answer, warnings };
    if (answer.warning !== undefined) warnings.push(answer.warning);
  }
  return { warnings };
}

/** Whose DaemonSets count: Cluster API asks for the owner's kind alone, OpenShift for its API version too. */
export type DaemonSetOwners = 'of-any-group' | 'of-apps/v1';

/** `namespace/name` of the DaemonSet that controls the Pod. */
export function daemonSetOf(pod: Pod, owners: DaemonSetOwners): string | undefined {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'DaemonSet') return undefined;
  if (owners === 'of-apps/v1' && owner.apiVersion !== 'apps/v1') return undefined;
  return `${pod.metadata.namespace ?? ''}/${owner.name}`;
}

/**
 * `namespace/name` of the DaemonSets that Pods' verdicts depend on. Finished Pods, and those that an earlier filter decides,
 * need none.
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

/** Whether some Pod's verdict depends on the rules, or on whether there are any. If not, nothing reads them. */
export const rulesMatter = (pods: readonly Pod[], context: EarlyContext): boolean =>
  pods.some((pod) => askEarlyFilters(pod, context).decided === undefined);
