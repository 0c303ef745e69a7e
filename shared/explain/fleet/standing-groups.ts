import type { Actor, DeletionStatus, State } from '../deletion-status.ts';
import { drainLines } from '../drain-lines.ts';

/** What deletions are put together by. */
export const groupings = ['blocker', 'owner', 'cluster', 'phase'] as const;

/** One of these. */
export type Grouping = (typeof groupings)[number];

/** Deletions that have one thing in common. */
export interface StandingGroup {
  name: string;
  /** `namespace/name`. */
  machines: string[];
  states: Record<State, number>;
  /** When the deletion was asked for that lasts longest (RFC 3339). */
  oldestDeletedAt: string;
  /** Who has to act for them to go on, each once. */
  acts: Actor[];
}

const nameBy: Readonly<Record<Grouping, (standing: DeletionStatus) => string>> = {
  blocker,
  owner: ({ acts }) => acts.name,
  cluster: ({ machine, cluster }) => clusterLabel(machine.namespace, cluster),
  phase: ({ phase }) => phase ?? 'not shown',
};

/** `namespace/name` of its Cluster; `none` where it names none. */
export const clusterLabel = (namespace: string, cluster: string | undefined): string =>
  cluster === undefined ? 'none' : `${namespace}/${cluster}`;

/** The group that a deletion is in. */
export const groupNameOf = (standing: DeletionStatus, by: Grouping): string => nameBy[by](standing);

/** The budget or the hook that holds it; of others the reason that the Machine shows. */
function blocker({ machine, cluster, waitsFor, acts }: DeletionStatus): string {
  const budget = drainLines(waitsFor.message).find((line) => line.budget !== undefined)?.budget;
  if (acts.who === 'budget-owner' && budget !== undefined) {
    // Clusters may have budgets of one name.
    const place = cluster === undefined ? '' : `, in cluster ${clusterLabel(machine.namespace, cluster)}`;
    return `PodDisruptionBudget ${budget}${place}`;
  }
  return acts.who === 'hook-owner' ? `hook of ${acts.name}` : waitsFor.reason;
}

/** In groups: that of the worst deletion first, of those the largest. The order within a group stays. */
export function groupStandings(standings: readonly DeletionStatus[], by: Grouping): StandingGroup[] {
  const groups = [...Map.groupBy(standings, nameBy[by])].map(([name, those]) => ({ name, those }));
  return groups
    .toSorted(
      (one, other) =>
        worstIn(one.those) - worstIn(other.those) ||
        other.those.length - one.those.length ||
        (one.name < other.name ? -1 : 1),
    )
    .map(({ name, those }) => groupOf(name, those));
}

const worstIn = (those: readonly DeletionStatus[]): number => Math.min(...those.map(({ rank }) => rank));

function groupOf(name: string, those: readonly DeletionStatus[]): StandingGroup {
  const count = (state: State): number => those.filter((each) => each.state === state).length;
  const [oldest = ''] = oldestFirst(those).map(({ deletedAt }) => deletedAt);
  return {
    name,
    machines: those.map(nameOf),
    states: { held: count('held'), late: count('late'), progressing: count('progressing') },
    oldestDeletedAt: oldest,
    acts: [...new Map(those.map(({ acts }) => [acts.name, acts])).values()],
  };
}

const nameOf = ({ machine: { namespace, name } }: DeletionStatus): string => `${namespace}/${name}`;

/** Those that were asked for first come first. */
export const oldestFirst = (standings: readonly DeletionStatus[]): DeletionStatus[] =>
  standings.toSorted((one, other) => Date.parse(one.deletedAt) - Date.parse(other.deletedAt));

const { compare } = new Intl.Collator('en', { numeric: true });

/** By namespace and name, `worker-9` before `worker-10`. */
export const byName = (standings: readonly DeletionStatus[]): DeletionStatus[] =>
  standings.toSorted((one, other) => compare(nameOf(one), nameOf(other)));
