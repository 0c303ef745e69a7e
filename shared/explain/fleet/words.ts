import type { CauseObject } from '../explanation.ts';
import type { FleetPlan, HolderGroup } from './fleet-plan.ts';
import type { Verdict } from './verdict.ts';

/** What the command line and the page say of a plan of many, in the same words. */

/** The groups of holders, the worst first. */
export const groupTitles = [
  { verdict: 'held', title: 'Held: somebody has to act' },
  { verdict: 'unknown', title: 'Unknown: what decides was not read' },
  { verdict: 'waits', title: 'Waits: it goes on by itself, later' },
] as const satisfies readonly { verdict: Verdict; title: string }[];

/** The heading of the commands that make kubeconfigs. */
export const preparingTitle = 'First, the way to the clusters of the Nodes';

/** `2 go`, `1 held`, `0 wait`, `0 unknown`. */
export function totalTexts({ goes, held, waits, unknown }: FleetPlan['totals']): [Verdict, string][] {
  return [
    ['goes', `${goes} ${goes === 1 ? 'goes' : 'go'}`],
    ['held', `${held} held`],
    ['waits', `${waits} ${waits === 1 ? 'waits' : 'wait'}`],
    ['unknown', `${unknown} unknown`],
  ];
}

type Group = Pick<HolderGroup, 'what' | 'cluster' | 'kind' | 'owner' | 'atOnce' | 'object' | 'verdict'> & {
  machines: readonly unknown[];
};

/** What holds, and in which cluster. */
export const holderText = ({ what, cluster }: Pick<Group, 'what' | 'cluster'>): string =>
  cluster === undefined ? what : `${what}, in cluster ${cluster}`;

/** `1 Machine`, `3 Machines`. */
export const machinesText = (count: number): string => `${count} ${count === 1 ? 'Machine' : 'Machines'}`;

/** How many Machines it holds, and of a budget that lets some go how many at a time. */
export function heldText({ machines, atOnce, object, verdict }: Group): string {
  const count = machinesText(machines.length);
  if (verdict !== 'waits' || atOnce === undefined || object === undefined) return count;
  const verb = machines.length === 1 ? 'needs' : 'need';
  return `${count} ${verb} budget ${object.namespace}/${object.name}: ${atOnce} at a time`;
}

const ownedKinds: readonly Group['kind'][] = ['budget', 'eviction', 'return', 'hook'];

/** Who keeps what holds; undefined where there is no such thing. */
export const ownerText = ({ owner, kind }: Pick<Group, 'owner' | 'kind'>): string | undefined =>
  owner ?? (ownedKinds.includes(kind) ? 'unknown' : undefined);

/** `PodDisruptionBudget shop/web`. */
export const objectText = ({ kind, namespace, name }: CauseObject): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;

/** What makes kubeconfigs that commands of these groups name, each once. */
export const preparingOf = (groups: readonly Pick<HolderGroup, 'preparing'>[]): string[] => [
  ...new Set(groups.flatMap(({ preparing }) => preparing ?? [])),
];
