import { type Labels, type ParsedSelector, parseSelector } from '../kubernetes/label-selector.ts';
import type { LabelSelector } from '../kubernetes/objects.ts';

/** One entry of a MachineDrainRule's lists: both of its selectors must match. */
export interface SelectorPair {
  errors: string[];
  /** Undefined when an invalid selector leaves it open. */
  matches(first: Labels, second: Labels): boolean | undefined;
}

/** A selector and the path of its field. */
type Field = readonly [path: string, selector: LabelSelector | undefined | null];

/** In a MachineDrainRule, unlike elsewhere in Kubernetes, an absent selector matches everything. */
const parseField = ([path, selector]: Field): ParsedSelector => parseSelector(selector ?? {}, path);

export function parseSelectorPair(first: Field, second: Field): SelectorPair {
  const parsed = [parseField(first), parseField(second)] as const;
  return {
    errors: parsed.flatMap((each) => (each.kind === 'invalid' ? each.errors : [])),
    matches(firstLabels, secondLabels) {
      const results = [match(parsed[0], firstLabels), match(parsed[1], secondLabels)];
      if (results.includes(false)) return false;
      return results.includes(undefined) ? undefined : true;
    },
  };
}

const match = (parsed: ParsedSelector, labels: Labels): boolean | undefined =>
  parsed.kind === 'valid' ? parsed.matches(labels) : undefined;
