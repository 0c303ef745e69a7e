import type { WorkloadRef } from '../../kubernetes/client.ts';
import { explain } from '../explain.ts';
import type { Cause } from '../explanation.ts';
import { type Holder, holdersIn } from './holder.ts';
import type { Holding } from './made.ts';
import { type Verdict, verdictOf, verdicts, worstOf } from './verdict.ts';

/** A Machine that was judged alone, as if no other one were deleted. */
export interface JudgedMachine {
  apiVersion: string;
  namespace: string;
  name: string;
  uid: string;
  /** Its Cluster, and its Node, where it names one. */
  cluster?: string;
  node?: string;
  /** Which cluster has its Node; absent where that is unknown. */
  nodesIn?: WorkloadRef;
  verdict: Verdict;
  /** What decides was not read, in part or as a whole. */
  isUnread?: true;
  holders: readonly Holder[];
}

/** What holds Machines, and which: `namespace/name`, unless they are named otherwise. */
export interface HolderGroup<Named = string> extends Omit<Holder, 'key'> {
  machines: Named[];
  /** Of a budget: how many of its Pods may be away at once. */
  atOnce?: number;
}

/** What deleting each of many Machines would meet. */
export interface FleetPlan<Named = string> {
  totals: { machines: number } & Record<Verdict, number>;
  groups: HolderGroup<Named>[];
  machines: PlannedMachine[];
}

/** One Machine of the plan. `heldBy`: what is in its groups. */
interface PlannedMachine extends Omit<JudgedMachine, 'holders' | 'nodesIn'> {
  heldBy: string[];
}

/** Judges one Machine by what an explanation finds to hold it. */
export function judge(holding: Holding): JudgedMachine {
  const { seen, workload } = holding;
  const { machine, plan } = seen;
  const { causes } = explain(seen);
  const found = [...causes, ...(plan.unsure ?? []).map(unsureCause)].flatMap((cause) => {
    const verdict = verdictOf(cause);
    return verdict === 'goes' ? [] : holdersIn(holding, cause, verdict);
  });
  const { clusterName: cluster, nodeName: node } = machine;
  return judgedBy(machine.ref, found, { cluster, node, nodesIn: workload });
}

const unsureCause = (what: string): Cause => ({
  kind: 'unread',
  what,
  details: [],
  endsByItself: 'unknown',
  why: 'what decides was not read',
});

type Ref = Pick<JudgedMachine, 'apiVersion' | 'namespace' | 'name' | 'uid'>;

/** One whose look failed: nothing is known of it. */
export const judgeUnread = (ref: Ref, why: string, nodesIn?: WorkloadRef): JudgedMachine => {
  const what = `it could not be looked at: ${why}`;
  const holder: Holder = {
    key: JSON.stringify(['unknown', what]),
    kind: 'unread',
    verdict: 'unknown',
    what,
    why: 'what decides was not read',
  };
  return judgedBy(ref, [holder], { nodesIn });
};

interface Where {
  cluster?: string | undefined;
  node?: string | undefined;
  nodesIn: WorkloadRef | undefined;
}

function judgedBy(
  { apiVersion, namespace, name, uid }: Ref,
  holders: readonly Holder[],
  { cluster, node, nodesIn }: Where,
): JudgedMachine {
  const once = [...new Map(holders.map((holder) => [holder.key, holder])).values()];
  return {
    apiVersion,
    namespace,
    name,
    uid,
    ...(cluster !== undefined && { cluster }),
    ...(node !== undefined && { node }),
    ...(nodesIn !== undefined && { nodesIn }),
    verdict: worstOf(once.map(({ verdict }) => verdict)),
    ...(once.some(({ verdict }) => verdict === 'unknown') && { isUnread: true }),
    holders: once,
  };
}

/** All together: a Machine with several holders is in each group, and once in the totals. */
export const fleetPlanOf = (all: readonly JudgedMachine[]): FleetPlan => fleetPlanNaming(all, nameOf);

/** The same, in which groups name their Machines otherwise. */
export function fleetPlanNaming<Named>(
  all: readonly JudgedMachine[],
  named: (machine: JudgedMachine) => Named,
): FleetPlan<Named> {
  const judged = all.toSorted((one, other) => compareNames(nameOf(one), nameOf(other)));
  const count = (verdict: Verdict): number => judged.filter((each) => each.verdict === verdict).length;
  return {
    totals: {
      machines: judged.length,
      goes: count('goes'),
      held: count('held'),
      waits: count('waits'),
      unknown: count('unknown'),
    },
    groups: groupsOf(judged, named),
    machines: judged.toSorted((one, other) => rankOf(one) - rankOf(other)).map(plannedMachine),
  };
}

function plannedMachine(judged: JudgedMachine): PlannedMachine {
  const { holders, nodesIn: _, ...machine } = judged;
  return { ...machine, heldBy: holders.map(({ what }) => what) };
}

function groupsOf<Named>(
  judged: readonly JudgedMachine[],
  named: (machine: JudgedMachine) => Named,
): HolderGroup<Named>[] {
  const held = judged.flatMap((machine) => machine.holders.map((holder) => ({ holder, machine })));
  const groups = [...Map.groupBy(held, ({ holder }) => holder.key).values()].flatMap((those) => {
    const [first] = those;
    const machines = those.map(({ machine }) => named(machine));
    return first === undefined ? [] : [groupOf(first.holder, machines)];
  });
  return groups.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      other.machines.length - one.machines.length ||
      compareNames(one.what, other.what) ||
      compareNames(one.cluster ?? '', other.cluster ?? ''),
  );
}

function groupOf<Named>({ key: _key, ...holder }: Holder, machines: Named[]): HolderGroup<Named> {
  const { needs, expects } = holder.numbers ?? {};
  const atOnce = needs === undefined || expects === undefined ? undefined : Math.max(0, expects - needs);
  return { ...holder, machines, ...(atOnce !== undefined && { atOnce }) };
}

const rankOf = ({ verdict }: { verdict: Verdict }): number => verdicts.indexOf(verdict);

const nameOf = ({ namespace, name }: Ref): string => `${namespace}/${name}`;

/** `worker-9` before `worker-10`, in every language. */
const { compare: compareNames } = new Intl.Collator('en', { numeric: true });

/** What a script goes by: 5 where something was not read, 4 where a Machine does not go, else 0. */
export function exitCodeFor({ machines, totals }: FleetPlan): number {
  if (machines.some(({ isUnread }) => isUnread === true)) return 5;
  return totals.held + totals.waits > 0 ? 4 : 0;
}
