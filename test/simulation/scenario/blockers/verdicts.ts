import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, numberAt, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import { annotationsOf, type Case, isGoing } from './case.ts';
import { both, type Labels, selects } from './selectors.ts';

/** What is to become of a Pod. */
export type Verdict =
  | { what: 'stays' }
  | { what: 'goes'; order: number }
  | { what: 'completes' }
  /** Unknown, because of this rule. */
  | { what: 'unclear'; rule: string };

const stays: Verdict = { what: 'stays' };

export const isFinished = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));

/** `unreachable`: its Node's kubelet is not heard of, and a Pod that was asked to go counts as gone. */
export function verdictOn(about: Case, pod: KubeObject, unreachable: boolean): Verdict {
  if (unreachable && isGoing(pod)) return stays;
  if (!isFinished(pod) && isOfDaemonSet(about, pod)) return stays;
  if (annotationsOf(pod)['kubernetes.io/config.mirror'] !== undefined) return stays;
  // Its own controllers know neither labels nor rules.
  if (about.isPeers && about.plan.api === 'openshift') return { what: 'goes', order: 0 };
  // OpenShift has labels and rules only where somebody brought them: it looks at rules first.
  const odd = about.plan.api === 'openshift' ? brokenRule(about, rulesFor(about)) : undefined;
  if (odd !== undefined) return odd;
  if (labelOf(pod) === 'skip') return stays;
  if (isLabelledToComplete(pod)) return { what: 'completes' };
  return byRules(about, pod);
}

const labelOf = ({ metadata }: KubeObject): string =>
  (metadata.labels?.['cluster.x-k8s.io/drain'] ?? '').toLowerCase();

export const isLabelledToComplete = (pod: KubeObject): boolean =>
  labelOf(pod).replace('-', '') === 'waitcompleted';

function isOfDaemonSet({ nodes }: Case, { metadata }: KubeObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return (
    owner?.kind === 'DaemonSet' && nodes.get('daemonsets.apps', metadata.namespace, owner.name) !== undefined
  );
}

/** One that makes no sense, among those that may be for the Machine. */
function brokenRule(about: Case, rules: readonly KubeObject[]): Verdict | undefined {
  const broken = rules.find((rule) => machineMatch(about, rule) === 'invalid' || podsOf(rule).some(isBroken));
  return broken === undefined ? undefined : { what: 'unclear', rule: broken.metadata.name };
}

function byRules(about: Case, pod: KubeObject): Verdict {
  const rules = rulesFor(about);
  const broken = brokenRule(about, rules);
  if (broken !== undefined) return broken;
  const rule = rules.find((one) => {
    const entries = podsOf(one);
    return entries.length === 0 || entries.some((entry) => entryMatches(about, entry, pod) === true);
  });
  const behavior = textAt(rule, 'spec', 'drain', 'behavior');
  if (behavior === 'Skip') return stays;
  if (behavior === 'WaitCompleted') return { what: 'completes' };
  return { what: 'goes', order: numberAt(rule, 'spec', 'drain', 'order') ?? 0 };
}

const podsOf = (rule: KubeObject): unknown[] => listOf(at(rule, 'spec', 'pods'));

/** Rules that may be for the Machine, by name in byte order. */
function rulesFor(about: Case): KubeObject[] {
  const { world, plan } = about;
  return world.management
    .list(resources.rules, { namespace: plan.namespace })
    .filter((rule) => machineMatch(about, rule) !== false)
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
}

function machineMatch({ machine, cluster }: Case, rule: KubeObject): boolean | 'invalid' {
  const entries = listOf(at(rule, 'spec', 'machines'));
  if (entries.length === 0) return true;
  const answers = entries.map((entry) =>
    both(
      selects(at(entry, 'selector'), machine.metadata.labels ?? {}),
      selects(at(entry, 'clusterSelector'), cluster?.metadata.labels ?? {}),
    ),
  );
  if (answers.includes('invalid')) return 'invalid';
  return answers.includes(true);
}

function entryMatches({ nodes }: Case, entry: unknown, { metadata }: KubeObject): boolean | 'invalid' {
  const namespace = nodes.get('namespaces', undefined, metadata.namespace ?? '')?.metadata.labels ?? {};
  return both(
    selects(at(entry, 'selector'), metadata.labels ?? {}),
    selects(at(entry, 'namespaceSelector'), namespace),
  );
}

const noLabels: Labels = {};

const isBroken = (entry: unknown): boolean =>
  ['selector', 'namespaceSelector'].some((field) => selects(at(entry, field), noLabels) === 'invalid');
