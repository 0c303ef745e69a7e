import * as z from 'zod';
import { sortedByBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
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

const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const nameForm = new RegExp(`^${name}$`);
const valueForm = new RegExp(`^(${name})?$`);
/** A DNS subdomain: of names of objects, and before the slash of a label key. */
export const subdomainForm = new RegExp(`^${subdomain}$`);

const characters =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameRule = `must ${characters} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;
const valueRule = `a valid label must be an empty string or ${characters} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${name})?')`;
/** What is said of a text that is none. */
export const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;

// The API server counts bytes, not characters.
const bytes = (text: string): number => Buffer.byteLength(text);
const tooLong = (limit: number): string => `must be no more than ${limit} bytes`;

/** What is wrong with a label's key (`name` or `prefix/name`), in the API server's words; empty when nothing is. */
export function flawsOfLabelKey(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...flawsOfPrefix(prefix), ...flawsOfName(parts.at(-1) ?? '')];
}

function flawsOfPrefix(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  const flaws = bytes(prefix) > 253 ? [`prefix part ${tooLong(253)}`] : [];
  return subdomainForm.test(prefix) ? flaws : [...flaws, `prefix part ${subdomainRule}`];
}

function flawsOfName(text: string): string[] {
  const flaws: string[] = [];
  if (text === '') flaws.push('name part must be non-empty');
  if (bytes(text) > 63) flaws.push(`name part ${tooLong(63)}`);
  if (!nameForm.test(text)) flaws.push(`name part ${nameRule}`);
  return flaws;
}

/** What is wrong with a label's value, in the API server's words; empty when nothing is. */
export function flawsOfLabelValue(value: string): string[] {
  const flaws = bytes(value) > 63 ? [tooLong(63)] : [];
  return valueForm.test(value) ? flaws : [...flaws, valueRule];
}
