import { clusterLabel, groupNameOf } from '../../../../shared/explain/fleet/standing-groups.ts';
import type { DeletingView } from '../../views.ts';

/** What a reader may choose Machines by. */
export const filterNames = ['namespace', 'cluster', 'phase', 'holder'] as const;

/** One of these. */
export type FilterName = (typeof filterNames)[number];

/** What a reader has chosen, as the address keeps it. Empty is no choice. */
export type Choice = Readonly<Record<FilterName | 'as', string>>;

/** Nothing is chosen. */
export const noChoice: Choice = { namespace: '', cluster: '', phase: '', holder: '', as: '' };

/** From the query of an address. What is unknown in it is left out. */
export function choiceIn(search: string): Choice {
  const query = new URLSearchParams(search);
  const chosen = filterNames.map((name) => [name, query.get(name) ?? '']);
  const as = query.get('as') ?? '';
  return { ...noChoice, ...Object.fromEntries(chosen), as: ['rows', 'cards'].includes(as) ? as : '' };
}

/** As an address has it: `?namespace=fleet&as=rows`; empty where nothing is chosen. */
export function searchOf(choice: Choice): string {
  const chosen = Object.entries(choice).filter(([, value]) => value !== '');
  return chosen.length === 0 ? '' : `?${new URLSearchParams(chosen)}`;
}

/** Whether some Machines may be hidden. */
export const isFiltering = (choice: Choice): boolean => filterNames.some((name) => choice[name] !== '');

/** A Machine that lives, or has gone. */
interface Placed {
  namespace: string;
  cluster?: string;
}

/** What a deletion has for each filter. */
export const valuesOf = ({ standing }: Pick<DeletingView, 'standing'>): Record<FilterName, string> => ({
  namespace: standing.machine.namespace,
  cluster: groupNameOf(standing, 'cluster'),
  phase: groupNameOf(standing, 'phase'),
  holder: groupNameOf(standing, 'blocker'),
});

/** Phases and holders are those of deletions: by them no other Machine is hidden. */
export const placeOf = ({ namespace, cluster }: Placed): Pick<Choice, 'namespace' | 'cluster'> => ({
  namespace,
  cluster: clusterLabel(namespace, cluster),
});

/** Whether these values are what was chosen. */
export const isChosen = (values: Partial<Record<FilterName, string>>, choice: Choice): boolean =>
  filterNames.every(
    (name) => choice[name] === '' || values[name] === undefined || values[name] === choice[name],
  );
