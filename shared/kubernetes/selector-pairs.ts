import { type Labels, type ParsedSelector, parseSelector } from './label-selector.ts';
import type { LabelSelector } from './objects.ts';

type Other = 'clusterSelector' | 'namespaceSelector';
type Entry = { selector?: LabelSelector } & { [other in Other]?: LabelSelector };

/** One entry of a list that selects, as MachineDrainRules have them: both of its selectors must match. */
export interface SelectorPair {
  errors: string[];
  /** Undefined when an invalid selector leaves it open. */
  matches(first: Labels, second: Labels): boolean | undefined;
}

/** The entries of such a list, with their selectors parsed. */
export const pairsIn = (list: 'machines' | 'pods', entries: readonly Entry[], other: Other): SelectorPair[] =>
  entries.map((entry, i) => {
    // Here, unlike elsewhere in Kubernetes, an absent selector matches everything.
    const parsed = (field: 'selector' | Other): ParsedSelector =>
      parseSelector(entry[field] ?? {}, `spec.${list}[${i}].${field}`);
    return pairOf(parsed('selector'), parsed(other));
  });

/** Entries are alternatives; none at all means everything. */
export const matchesAny = (
  pairs: readonly SelectorPair[],
  matches: (pair: SelectorPair) => boolean,
): boolean => pairs.length === 0 || pairs.some(matches);

const pairOf = (one: ParsedSelector, other: ParsedSelector): SelectorPair => ({
  errors: [one, other].flatMap((each) => (each.kind === 'invalid' ? each.errors : [])),
  matches(first, second) {
    const results = [match(one, first), match(other, second)];
    if (results.includes(false)) return false;
    return results.includes(undefined) ? undefined : true;
  },
});

const match = (parsed: ParsedSelector, labels: Labels): boolean | undefined =>
  parsed.kind === 'valid' ? parsed.matches(labels) : undefined;
