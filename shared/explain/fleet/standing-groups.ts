import type { DeletionStatus, State } from '../deletion-status.ts';
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
}

const nameBy: Readonly<Record<Grouping, (standing: DeletionStatus) => string>> = {
  blocker,
  owner: ({ acts }) => acts.name,
  cluster: ({ machine, cluster }) => (cluster === undefined ? 'none' : `${machine.namespace}/${cluster}`),
  phase: ({ phase }) => phase ?? 'not shown',
};

/** The budget or the hook that holds it; of others the reason that the Machine shows. */
function blocker({ waitsFor, acts }: DeletionStatus): string {
  const budget = drainLines(waitsFor.message).find((line) => line.budget !== undefined)?.budget;
  if (acts.who === 'budget-owner' && budget !== undefined) return `PodDisruptionBudget ${budget}`;
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
