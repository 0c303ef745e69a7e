import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import { isOpenShift } from '../../../stories/stage/apis.ts';
import { management } from '../../platform/clusters.ts';
import { clusterOf } from './machine.ts';
import type { View } from './past.ts';
import { type Selector, selects } from './selector.ts';

/** What is to become of a Pod. A number is its order: it is evicted. */
export type Verdict = number | 'stays' | 'waited for' | 'left behind' | 'nobody can tell';

/** Where a Pod is judged: for which Machine, by which state of the world, and when. */
export interface Court {
  machine: KubeObject;
  host: string;
  node: KubeObject | undefined;
  view: View;
  now: number;
}

const isFinished = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '');

export const isUnreachable = (node: KubeObject): boolean => {
  const { conditions } = recordAt(node, 'status');
  const ready = (Array.isArray(conditions) ? conditions : []).find((one) => textAt(one, 'type') === 'Ready');
  return textAt(ready, 'status') === 'Unknown';
};

/** In the order of Cluster API's filters. */
export function verdictOn(pod: KubeObject, court: Court): Verdict {
  const { deletionTimestamp, labels = {} } = pod.metadata;
  const isLate = Math.trunc((court.now - Date.parse(deletionTimestamp ?? '')) / 1_000) > 1;
  if (court.node !== undefined && isUnreachable(court.node) && isLate) return 'left behind';
  if (isBound(pod, court)) return 'stays';
  const label = labels['cluster.x-k8s.io/drain']?.toLowerCase();
  if (label === 'skip') return 'stays';
  if (label?.replace('-', '') === 'waitcompleted') return 'waited for';
  return byRules(pod, court);
}

/** To its Node: static, or of a DaemonSet. */
const isBound = (pod: KubeObject, court: Court): boolean =>
  isOfDaemonSet(pod, court) ||
  Object.keys(pod.metadata.annotations ?? {}).includes('kubernetes.io/config.mirror');

/** By a rule or a label, or completed where it was to complete: who knows neither would evict it. */
export function staysByWish(pod: KubeObject, court: Court): boolean {
  const verdict = verdictOn(pod, court);
  return verdict === 'stays' ? !isBound(pod, court) : verdict === 'waited for' && isFinished(pod);
}

/** What a drain has still to wait for. */
export const mustGo = (pod: KubeObject, court: Court): boolean => {
  const verdict = verdictOn(pod, court);
  if (verdict === 'waited for') return !isFinished(pod);
  return verdict !== 'stays' && verdict !== 'left behind';
};

export const podsOn = (view: View, host: string, nodeName: string): KubeObject[] =>
  view.list(host, 'pods').filter((pod) => textAt(pod, 'spec', 'nodeName') === nodeName);

function isOfDaemonSet(pod: KubeObject, { machine, host, view }: Court): boolean {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner?.kind !== 'DaemonSet' || isFinished(pod)) return false;
  if (isOpenShift(machine) && owner.apiVersion !== 'apps/v1') return false;
  return view.get(host, 'daemonsets.apps', pod.metadata.namespace, owner.name) !== undefined;
}

interface Rule {
  machines?: { selector?: Selector; clusterSelector?: Selector }[] | undefined;
  pods?: { selector?: Selector; namespaceSelector?: Selector }[] | undefined;
  drain?: { behavior?: string; order?: number };
}

/** The first by name that fits decides. An unreadable rule decides nothing, so the verdict is unknown. */
function byRules(pod: KubeObject, court: Court): Verdict {
  const { host, view } = court;
  const ofPod = pod.metadata.labels ?? {};
  const ofNamespace = view.get(host, 'namespaces', undefined, pod.metadata.namespace ?? '')?.metadata.labels;
  for (const { rule, fits } of rulesFor(court)) {
    const own = anyOf(rule.pods, (one) =>
      both([one.selector, ofPod], [one.namespaceSelector, ofNamespace ?? {}]),
    );
    if (fits === 'unreadable' || own === 'unreadable') return 'nobody can tell';
    if (own) return behaviorOf(rule);
  }
  return 0;
}

const behaviorOf = ({ drain }: Rule): Verdict => {
  if (drain?.behavior === 'Skip') return 'stays';
  if (drain?.behavior === 'WaitCompleted') return 'waited for';
  return drain?.behavior === 'Drain' ? (drain.order ?? 0) : 'nobody can tell';
};

const bytes = ({ metadata }: KubeObject): Buffer => Buffer.from(metadata.name);

/** Those of the Machine's namespace that are for it, or may be, by name in byte order. */
function rulesFor({ machine, view }: Court): { rule: Rule; fits: Fit }[] {
  const { namespace, labels: ofMachine = {} } = machine.metadata;
  const ofCluster = clusterOf(view, machine)?.metadata.labels ?? {};
  return view
    .list(management, 'machinedrainrules.cluster.x-k8s.io')
    .filter(({ metadata }) => metadata.namespace === namespace)
    .toSorted((one, other) => Buffer.compare(bytes(one), bytes(other)))
    .map((rule): Rule => recordAt(rule, 'spec'))
    .map((rule) => ({
      rule,
      fits: anyOf(rule.machines, (one) => both([one.selector, ofMachine], [one.clusterSelector, ofCluster])),
    }))
    .filter(({ fits }) => fits !== false);
}

type Fit = boolean | 'unreadable';

const both = (...pairs: [Selector | undefined, Record<string, string>][]): Fit => {
  const fits = pairs.map(([selector, labels]) => selects(selector ?? {}, labels));
  if (fits.includes(false)) return false;
  return fits.includes('unreadable') ? 'unreadable' : true;
};

const anyOf = <T>(entries: readonly T[] | undefined, fit: (entry: T) => Fit): Fit => {
  if (entries === undefined || entries.length === 0) return true;
  const fits = entries.map(fit);
  if (fits.includes(true)) return true;
  return fits.includes('unreadable') ? 'unreadable' : false;
};
