import { isFinalRefusal } from '../../drain/eviction-answer.ts';
import { isBefore } from '../../machine/phase.ts';
import type { PlannedPhase, PlannedRefusal } from '../../plan/deletion-plan.ts';
import { listOf } from '../../text/truncate.ts';
import type { Cause } from '../explanation.ts';
import type { Seen } from '../seen.ts';
import { refusalCause } from './refusals.ts';

/** Of a living Machine what will hold it in a later batch, until somebody changes that. */
export const aheadCauses = (seen: Seen): Cause[] =>
  seen.standing === undefined
    ? groupsAhead(seen).map((group) => ({ ...refusalCause(seen, group.refusals), what: aheadText(group) }))
    : [];

/** What its drain will meet that a deletion has not come to yet, a sentence each. */
export function refusalsToCome(seen: Seen): string[] {
  const { standing, plan } = seen;
  const here = standing?.phase;
  if (here === undefined || (here !== 'drain' && !isBefore(here, 'drain'))) return [];
  const first =
    here === 'drain' ? [] : plan.refusals.filter(isFinal).map((refusal) => ({ ...refusal, batch: 1 }));
  return [...groupsIn(first), ...groupsAhead(seen)].map((group) => `drain: ${aheadText(group)}`);
}

interface Group {
  batch: number;
  refusals: readonly PlannedRefusal[];
}

type Ahead = PlannedRefusal & { batch: number };

const isFinal = ({ cause }: PlannedRefusal): boolean => cause !== 'Unknown' && isFinalRefusal({ cause });

const groupsAhead = ({ plan }: Seen): Group[] => groupsIn(plan.refusalsAhead ?? []);

/** Those of one budget in one batch together. */
const groupsIn = (refusals: readonly Ahead[]): Group[] =>
  [...Map.groupBy(refusals, ({ batch, budget, cause }) => JSON.stringify([batch, budget ?? cause]))].map(
    ([, those]) => ({ batch: those[0]?.batch ?? 0, refusals: those }),
  );

function aheadText({ batch, refusals }: Group): string {
  const [first] = refusals;
  const pods = listOf(
    refusals.map(({ pod }) => pod),
    3,
  );
  if (first?.cause === 'NamespaceTerminating')
    return `the API will refuse in batch ${batch} to evict ${pods}: their namespace is being deleted`;
  const who = first?.budget === undefined ? 'the API' : `PodDisruptionBudget ${first.budget}`;
  const why = first?.cause === 'MultipleBudgets' ? ': several budgets select them' : '';
  return `${who} will refuse in batch ${batch} to evict ${pods}${why}`;
}

/**
 * Phases that nothing is known about, since what they depend on was not read or given. Those of one reason stand together.
 */
export function unreadCauses(phases: readonly PlannedPhase[]): Cause[] {
  const unknown = phases.filter(({ does }) => does === 'unknown');
  return [...Map.groupBy(unknown, ({ why }) => why)].map(([why, those]) => ({
    kind: 'unread',
    ...(those[0] !== undefined && { phase: those[0].phase }),
    what: `what holds ${those.map(({ phase }) => phase).join(', ')} is unknown: ${why}`,
    details: [],
    endsByItself: 'unknown',
    why: 'what decides was not read',
  }));
}
