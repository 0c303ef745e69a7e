import { asksForSomething, type Labels } from '../kubernetes/label-selector.ts';
import type { MachineDrainRule } from '../kubernetes/objects.ts';
import { compareBytes } from '../text/byte-order.ts';
import { aggregate } from '../text/truncate.ts';
import { parseSelectorPair, type SelectorPair } from './selector-pair.ts';
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

export interface RulesReading {
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
  const machinePairs = parseMachines(machines ?? []);
  // An entry that cannot be told counts as one that matches.
  if (!matchesAny(machinePairs, (pair) => pair.matches(machineLabels, clusterLabels) !== false)) {
    return { kind: 'for others' };
  }
  const podPairs = parsePods(pods ?? []);
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

type Spec = NonNullable<MachineDrainRule['spec']>;

const parseMachines = (entries: NonNullable<Spec['machines']>): SelectorPair[] =>
  entries.map(({ selector, clusterSelector }, i) =>
    parseSelectorPair(
      [`spec.machines[${i}].selector`, selector],
      [`spec.machines[${i}].clusterSelector`, clusterSelector],
    ),
  );

const parsePods = (entries: NonNullable<Spec['pods']>): SelectorPair[] =>
  entries.map(({ selector, namespaceSelector }, i) =>
    parseSelectorPair(
      [`spec.pods[${i}].selector`, selector],
      [`spec.pods[${i}].namespaceSelector`, namespaceSelector],
    ),
  );

/** Entries are alternatives; none at all means everything. */
const matchesAny = (pairs: readonly SelectorPair[], matches: (pair: SelectorPair) => boolean): boolean =>
  pairs.length === 0 || pairs.some(matches);
