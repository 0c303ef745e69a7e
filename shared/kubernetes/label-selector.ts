import * as z from 'zod';
import { sortedByBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
import { flawsOfLabelKey, flawsOfLabelValue } from './label-syntax.ts';
import type { LabelSelector } from './objects.ts';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** A label selector that was checked. */
export type ParsedSelector =
  | { kind: 'valid'; matches: (labels: Labels) => boolean }
  /** One sentence for each thing that is wrong, in the API server's words. */
  | { kind: 'invalid'; errors: string[] };

interface Requirement {
  key: string;
  operator: string;
  values: readonly string[];
}

// `null` is how an absent field may reach us from hand-written files.
const selectorShape = z.object({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z
    .array(z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }))
    .nullish(),
});

type SelectorShape = z.infer<typeof selectorShape>;

const nothing: ParsedSelector = { kind: 'valid', matches: () => false };

/**
 * Parses a label selector with Kubernetes' semantics: absent matches nothing, empty matches everything, NotIn and
 * DoesNotExist match a missing key. `path` names the field in errors, for example `spec.pods[0].selector`.
 */
export function parseSelector(selector: LabelSelector | undefined | null, path: string): ParsedSelector {
  if (selector === undefined || selector === null) return nothing;
  const shape = selectorShape.safeParse(selector);
  if (!shape.success) return invalid(selector, path, whyMisshapen(shape.error));
  const requirements = requirementsOf(shape.data);
  for (const requirement of requirements) {
    const flaw = flawOf(requirement);
    if (flaw !== undefined) return invalid(asTheApiPrints(shape.data), path, flaw);
  }
  return {
    kind: 'valid',
    matches: (labels) => requirements.every((requirement) => isMet(requirement, labels)),
  };
}

/** Whether the selector asks for anything at all; an empty one matches everything unread. */
export const asksForSomething = (selector: LabelSelector | undefined | null): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions?.length ?? 0) > 0;

function requirementsOf(selector: SelectorShape): Requirement[] {
  const matchLabels = selector.matchLabels ?? {};
  const equal = sortedByBytes(Object.keys(matchLabels)).map((key) => ({
    key,
    operator: 'In',
    values: [matchLabels[key] ?? ''],
  }));
  const expressions = (selector.matchExpressions ?? []).map((each) => ({
    ...each,
    values: each.values ?? [],
  }));
  return [...equal, ...expressions];
}

function isMet({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isAmong = value !== undefined && values.includes(value);
  return operator === 'In' ? isAmong : !isAmong;
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function flawOf(requirement: Requirement): string | undefined {
  const { key, operator, values } = requirement;
  if (!operators.includes(operator))
    return `${JSON.stringify(operator)} is not a valid label selector operator`;
  const flaws = [
    ...named('key', key, flawsOfLabelKey(key)),
    ...flawsOfValueSet(requirement),
    ...values.flatMap((value, i) => named(`values[${i}][${key}]`, value, flawsOfLabelValue(value))),
  ];
  return flaws.length > 0 ? aggregate(flaws) : undefined;
}

const named = (path: string, value: string, flaws: string[]): string[] =>
  flaws.length > 0 ? [`${path}: Invalid value: ${JSON.stringify(value)}: ${flaws.join('; ')}`] : [];

function flawsOfValueSet({ operator, values }: Requirement): string[] {
  const needsValues = operator === 'In' || operator === 'NotIn';
  // The API server prints an empty list as null.
  if (needsValues && values.length === 0) {
    return ["values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"];
  }
  if (needsValues || values.length === 0) return [];
  return [
    `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`,
  ];
}

const whyMisshapen = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'selector'}: ${message}`).join('; ');

/** Keys in the order of the API's type and labels in byte order, without what is empty. */
function asTheApiPrints({ matchLabels, matchExpressions }: SelectorShape): object {
  const keys = sortedByBytes(Object.keys(matchLabels ?? {}));
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => ({
    key,
    operator,
    ...(values?.length && { values }),
  }));
  return {
    ...(keys.length > 0 && { matchLabels: Object.fromEntries(keys.map((key) => [key, matchLabels?.[key]])) }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

const invalid = (selector: object, path: string, why: string): ParsedSelector => ({
  kind: 'invalid',
  errors: [`${path}: Invalid value: ${JSON.stringify(selector)}: ${why}`],
});
