import { Unavailable } from '../kubernetes/errors.ts';
import { asksForSomething, type Labels } from '../kubernetes/label-selector.ts';
import type { MachineDrainRule, Pod } from '../kubernetes/objects.ts';
import { matchesAny, pairsIn } from '../kubernetes/selector-pairs.ts';
import { compareBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
import type { Decided } from './filters.ts';
import type { VerdictFailure } from './verdict.ts';

/** A rule that applies to the Machine, with its Pod selectors parsed. */
export interface ApplicableRule {
  name: string;
  /** As written: an unknown one fails the Pods it would decide, and nothing else. */
  behavior: unknown;
  order: unknown;
  /** Whether the rule is for a Pod with these labels in a namespace with those. */
  selects(pod: Labels, namespace: Labels): boolean;
  /** Whether the labels of the Pod's namespace can make a difference. */
  asksForNamespace: boolean;
}

interface RulesReading {
  /** Sorted by name in byte order: of several that match a Pod the first decides. */
  rules: ApplicableRule[];
  invalid?: VerdictFailure;
}

interface MachineLabels {
  machineLabels: Labels;
  clusterLabels: Labels;
}

/**
 * The rules among those of the Machine's namespace that apply to it. One with an invalid selector is a failure only
 * where it applies, or where its invalid selectors leave that open.
 */
export function readRules(rules: readonly MachineDrainRule[], machine: MachineLabels): RulesReading {
  const sorted = rules.toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name));
  const read = sorted.map((rule) => readRule(rule, machine));
  const applicable = read.flatMap((each) => (each.kind === 'applicable' ? [each.rule] : []));
  const invalid = read.filter((each) => each.kind === 'invalid');
  const [first] = invalid;
  if (first === undefined) return { rules: applicable };
  return { rules: applicable, invalid: { message: messageOf(invalid), rule: first.name } };
}

interface InvalidRule {
  kind: 'invalid';
  name: string;
  errors: string[];
}

function messageOf(invalid: readonly InvalidRule[]): string {
  const each = invalid.map(
    ({ name, errors }) => `invalid selectors in MachineDrainRule ${name}: ${aggregate(errors)}`,
  );
  return `failed to get Pods for eviction: failed to get matching MachineDrainRules: ${aggregate(each)}`;
}

type RuleReading = { kind: 'applicable'; rule: ApplicableRule } | InvalidRule | { kind: 'for others' };

function readRule(rule: MachineDrainRule, { machineLabels, clusterLabels }: MachineLabels): RuleReading {
  const { drain, machines, pods } = rule.spec ?? {};
  const { name } = rule.metadata;
  const machinePairs = pairsIn('machines', machines ?? [], 'clusterSelector');
  // An entry that cannot be told counts as one that matches.
  if (!matchesAny(machinePairs, (pair) => pair.matches(machineLabels, clusterLabels) !== false)) {
    return { kind: 'for others' };
  }
  const podPairs = pairsIn('pods', pods ?? [], 'namespaceSelector');
  const errors = [...machinePairs, ...podPairs].flatMap((pair) => pair.errors);
  if (errors.length > 0) return { kind: 'invalid', name, errors };
  const applicable: ApplicableRule = {
    name,
    behavior: drain?.behavior,
    order: drain?.order,
    selects: (pod, namespace) => matchesAny(podPairs, (pair) => pair.matches(pod, namespace) === true),
    asksForNamespace: (pods ?? []).some(({ namespaceSelector }) => asksForSomething(namespaceSelector)),
  };
  return { kind: 'applicable', rule: applicable };
}

export interface RuleContext {
  rules: readonly ApplicableRule[];
  /** Labels by name; undefined when they were not read because nothing depends on them. */
  namespaces: ReadonlyMap<string, Labels> | undefined;
}

export interface Undecidable {
  kind: 'failed';
  message: string;
  rule?: string;
}

/** The last filter, which no Pod passes: the first rule by name that selects the Pod, else the default. */
export function ruleFilter(pod: Pod, { rules, namespaces }: RuleContext): Decided | Undecidable {
  const namespaceLabels = namespaces?.get(pod.metadata.namespace ?? '');
  if (namespaces !== undefined && namespaceLabels === undefined) {
    return { kind: 'failed', message: 'Pod Namespace does not exist' };
  }
  for (const rule of rules) {
    if (selects(rule, pod.metadata.labels ?? {}, namespaceLabels)) return decide(rule);
  }
  return { kind: 'decided', behavior: 'Drain', order: 0, decidedBy: 'default' };
}

function selects(rule: ApplicableRule, pod: Labels, namespace: Labels | undefined): boolean {
  if (namespace === undefined && rule.asksForNamespace) {
    throw new Unavailable(`the Namespaces that MachineDrainRule ${rule.name} asks for were not read`);
  }
  return rule.selects(pod, namespace ?? {});
}

function decide({ name, behavior, order }: ApplicableRule): Decided | Undecidable {
  const decided = { kind: 'decided', order: 0, decidedBy: `MachineDrainRule ${name}` } as const;
  // Only Drain has an order; a wait is always in the batch of order 0.
  if (behavior === 'WaitCompleted') return { ...decided, behavior };
  if (behavior === 'Skip') return { ...decided, behavior, stays: 'by-wish' };
  if (behavior !== 'Drain') return failed(name, `unknown spec.drain.behavior: ${asQuoted(behavior)}`);
  const parsed = parseOrder(order);
  if (parsed === undefined) return failed(name, `invalid spec.drain.order: ${asQuoted(order)}`);
  return { ...decided, behavior, order: parsed };
}

/** Absent is 0; anything that is no 32-bit integer is undefined. */
function parseOrder(order: unknown): number | undefined {
  if (order === undefined || order === null) return 0;
  return typeof order === 'number' && order === (order | 0) ? order | 0 : undefined;
}

const asQuoted = (value: unknown): string => JSON.stringify(value ?? '');

const failed = (rule: string, what: string): Undecidable => ({
  kind: 'failed',
  message: `MachineDrainRule ${JSON.stringify(rule)} has ${what}`,
  rule,
});

/** Whether some rule asks for the labels of Pods' namespaces: if not, they need not be read. */
export const namespacesMatter = (rules: readonly ApplicableRule[]): boolean =>
  rules.some((rule) => rule.asksForNamespace);
