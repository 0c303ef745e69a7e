import { type Judgement, judgePods } from '../drain/classify.ts';
import { daemonSetsToLookUp, type EarlyContext, rulesMatter } from '../drain/filters.ts';
import { type DrainPlan, planDrain } from '../drain/plan.ts';
import { namespacesMatter, readRules } from '../drain/rules.ts';
import type { MachineDrainRule, Pod } from '../kubernetes/objects.ts';
import { daemonSets, namespaces, pods } from '../kubernetes/resources.ts';
import type { Subject } from '../phase/definition.ts';
import { podsOf, type Snapshot } from '../phase/snapshot.ts';
import type { Instant } from '../time/clock.ts';

export interface NodePods {
  /** Version of the list, for a watch that goes on from there. */
  resourceVersion: string;
  pods: Pod[];
  judgement: Judgement;
}

/** Rules and namespaces are not watched: a change takes effect within this time, where the peer takes 20 s. */
const rulesAgeMilliseconds = 10_000;

/** Nothing that is remembered is as young as that. */
const readAnew = -1;

/** Of a DaemonSet that has just gone the Pods are left in peace this much longer. */
const daemonSetAgeMilliseconds = 10_000;

/**
 * Lists the Node's Pods and judges each. Rules, namespaces and DaemonSets are read only when a Pod's verdict
 * depends on them: every read is a request.
 */
export async function observePods(
  snapshot: Snapshot,
  subject: Subject,
  { nodeName, unreachable, now }: { nodeName: string; unreachable: boolean; now: Instant },
): Promise<NodePods> {
  const list = await snapshot.list('workload', pods, { fieldSelector: `spec.nodeName=${nodeName}` });
  const found = podsOf(list);
  const judgement = await judge(snapshot, subject, found, { unreachable, now });
  return { resourceVersion: list.resourceVersion, pods: found, judgement };
}

/** What a drain of a reachable Node comes to, whatever is remembered of its Pods. Undefined where they cannot be judged. */
export async function observePlan(
  snapshot: Snapshot,
  subject: Subject,
  nodeName: string,
): Promise<DrainPlan | undefined> {
  const context = { nodeName, unreachable: false, now: snapshot.now() };
  const { judgement } = await observePods(snapshot, subject, context);
  return judgement.kind === 'failed' ? undefined : planDrain(judgement.verdicts, { records: new Map() });
}

async function judge(
  snapshot: Snapshot,
  subject: Subject,
  found: Pod[],
  { unreachable, now }: { unreachable: boolean; now: Instant },
): Promise<Judgement> {
  const { labels, daemonSets: daemonSetOwners, ownNamespace } = subject.dialect.drain;
  const traits = { unreachable, now, daemonSetOwners, labelsCount: labels === 'always', ownNamespace };
  const context = { ...traits, daemonSets: await lookUpDaemonSets(snapshot, found, traits) };
  if (!rulesMatter(found, context)) return judgePods(found, { ...context, rules: [], namespaces: undefined });
  const items = await snapshot.drainRules(subject.machine.ref.namespace, rulesAgeMilliseconds);
  const { rules, invalid } = rulesFor(subject, items ?? []);
  if (invalid !== undefined) return { kind: 'failed', failure: invalid };
  const labelsCount = context.labelsCount || items !== undefined;
  const ofNamespaces = namespacesMatter(rules) ? await namespaceLabels(snapshot, found) : undefined;
  return judgePods(found, { ...context, labelsCount, rules, namespaces: ofNamespaces });
}

async function lookUpDaemonSets(
  snapshot: Snapshot,
  found: Pod[],
  context: Omit<EarlyContext, 'daemonSets'>,
): Promise<EarlyContext['daemonSets']> {
  const names = daemonSetsToLookUp(found, context);
  const entries = await Promise.all(
    names.map(async (path): Promise<[string, 'present' | 'absent']> => {
      const [namespace = '', name = ''] = path.split('/');
      const exists = await snapshot.exists(
        'workload',
        daemonSets,
        { namespace, name },
        daemonSetAgeMilliseconds,
      );
      return [path, exists ? 'present' : 'absent'];
    }),
  );
  return new Map(entries);
}

/** Those that apply to the Machine; where there is no Cluster object its labels are none. */
const rulesFor = (
  { machine, surroundings }: Subject,
  rules: MachineDrainRule[],
): ReturnType<typeof readRules> =>
  readRules(rules, {
    machineLabels: machine.labels,
    clusterLabels: surroundings.cluster?.metadata.labels ?? {},
  });

type NamespaceLabels = ReadonlyMap<string, Record<string, string>>;

/**
 * Labels of the namespaces of these Pods. A Pod may be in one that is newer than the remembered list. Then the list says
 * nothing of it.
 */
export async function namespaceLabels(snapshot: Snapshot, found: readonly Pod[]): Promise<NamespaceLabels> {
  const remembered = await listNamespaces(snapshot, rulesAgeMilliseconds);
  const isKnown = ({ metadata: { namespace = '' } }: Pod): boolean => remembered.has(namespace);
  return found.every(isKnown) ? remembered : listNamespaces(snapshot, readAnew);
}

async function listNamespaces(snapshot: Snapshot, maxAgeMilliseconds: number): Promise<NamespaceLabels> {
  const { items } = await snapshot.recentList('workload', namespaces, {}, maxAgeMilliseconds);
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}
