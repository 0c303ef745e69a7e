import { groupStandings, type StandingGroup } from '../../../../shared/explain/fleet/standing-groups.ts';
import type { DeletingView, GoneView, LivingView, OverviewView } from '../../views.ts';
import { type Choice, type FilterName, isChosen, isFiltering, placeOf, valuesOf } from './choice.ts';

/** What of an overview is shown, after what its reader has chosen. */
export interface Chosen {
  deleting: readonly DeletingView[];
  living: readonly LivingView[];
  gone: readonly GoneView[];
  /** As `status --by blocker` has them. */
  groups: readonly StandingGroup[];
  /** What there is to choose from. */
  options: Readonly<Record<FilterName, readonly string[]>>;
  as: 'rows' | 'cards';
  /** There is something to choose: several deletions, many Machines, or a choice to take off. */
  isMany: boolean;
}

/** More are rows: a card takes as much room as ten of them. */
const mostCards = 8;
/** So few are seen at a glance, without groups and filters. */
const glance = { deleting: 3, living: 50 };

/** Made of what the reader was given, and of nothing else: in a cluster that is what one may see. */
export function chosen({ deleting, living, gone }: OverviewView, choice: Choice): Chosen {
  const shown = deleting.filter((each) => isChosen(valuesOf(each), choice));
  const standings = shown.map(({ standing }) => standing);
  return {
    deleting: shown,
    living: living.filter((each) => isChosen(placeOf(each), choice)),
    gone: gone.filter((each) => isChosen(placeOf(each), choice)),
    groups: groupStandings(standings, 'blocker'),
    options: optionsIn([...deleting.map(valuesOf), ...[...living, ...gone].map(placeOf)], choice),
    as: asChosen(choice, shown.length),
    isMany:
      deleting.length > glance.deleting ||
      living.length > glance.living ||
      isFiltering(choice) ||
      choice.as !== '',
  };
}

function asChosen({ as }: Choice, count: number): 'rows' | 'cards' {
  if (as === 'rows' || as === 'cards') return as;
  return count > mostCards ? 'rows' : 'cards';
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** What is chosen stays an option where no Machine has it any more. */
function optionsIn(
  rows: readonly Partial<Record<FilterName, string>>[],
  choice: Choice,
): Record<FilterName, string[]> {
  const of = (name: FilterName): string[] => {
    const values = new Set([...rows.map((row) => row[name] ?? ''), choice[name]]);
    return [...values].filter((value) => value !== '').toSorted(compare);
  };
  return { namespace: of('namespace'), cluster: of('cluster'), phase: of('phase'), holder: of('holder') };
}
