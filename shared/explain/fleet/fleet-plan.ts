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
  verdict: Verdict;
  /** What decides was not read, in part or as a whole. */
  isUnread?: true;
  holders: readonly Holder[];
}

/** What holds Machines, and which. */
export interface HolderGroup extends Omit<Holder, 'key'> {
  /** `namespace/name`. */
  machines: string[];
  /** Of a budget: how many of its Pods may be away at once. */
  atOnce?: number;
}

/** What deleting each of many Machines would meet. */
export interface FleetPlan {
  totals: { machines: number } & Record<Verdict, number>;
  groups: HolderGroup[];
  machines: (Omit<JudgedMachine, 'holders'> & { heldBy: string[] })[];
}

/** Judges one Machine by what an explanation finds to hold it. */
export function judge(holding: Holding): JudgedMachine {
  const { seen } = holding;
  const { machine, plan } = seen;
  const { causes } = explain(seen);
  const found = [...causes, ...(plan.unsure ?? []).map(unsureCause)].flatMap((cause) => {
    const verdict = verdictOf(cause);
    return verdict === 'goes' ? [] : holdersIn(holding, cause, verdict);
  });
  return judgedBy(machine.ref, found, { cluster: machine.clusterName, node: machine.nodeName });
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
export const judgeUnread = (ref: Ref, why: string): JudgedMachine => {
  const what = `it could not be looked at: ${why}`;
  const holder: Holder = {
    key: JSON.stringify(['unknown', what]),
    kind: 'unread',
    verdict: 'unknown',
    what,
    why: 'what decides was not read',
  };
  return judgedBy(ref, [holder], {});
};

function judgedBy(
  { apiVersion, namespace, name, uid }: Ref,
  holders: readonly Holder[],
  { cluster, node }: { cluster?: string | undefined; node?: string | undefined },
): JudgedMachine {
  const once = [...new Map(holders.map((holder) => [holder.key, holder])).values()];
  return {
    apiVersion,
    namespace,
    name,
    uid,
    ...(cluster !== undefined && { cluster }),
    ...(node !== undefined && { node }),
    verdict: worstOf(once.map(({ verdict }) => verdict)),
    ...(once.some(({ verdict }) => verdict === 'unknown') && { isUnread: true }),
    holders: once,
  };
}

/** All together: a Machine with several holders is in each group, and once in the totals. */
export function fleetPlanOf(all: readonly JudgedMachine[]): FleetPlan {
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
    groups: groupsOf(judged),
    machines: judged
      .toSorted((one, other) => rankOf(one) - rankOf(other))
      .map(({ holders, ...machine }) => ({ ...machine, heldBy: holders.map(({ what }) => what) })),
  };
}

function groupsOf(judged: readonly JudgedMachine[]): HolderGroup[] {
  const held = judged.flatMap((machine) =>
    machine.holders.map((holder) => ({ holder, name: nameOf(machine) })),
  );
  const groups = [...Map.groupBy(held, ({ holder }) => holder.key).values()].flatMap((those) => {
    const [first] = those;
    return first === undefined
      ? []
      : [
          groupOf(
            first.holder,
            those.map(({ name }) => name),
          ),
        ];
  });
  return groups.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      other.machines.length - one.machines.length ||
      compareNames(one.what, other.what) ||
      compareNames(one.cluster ?? '', other.cluster ?? ''),
  );
}

function groupOf({ key: _key, ...holder }: Holder, machines: string[]): HolderGroup {
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
