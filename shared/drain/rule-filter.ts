import { Unavailable } from '../kubernetes/errors.ts';
import type { Labels } from '../kubernetes/label-selector.ts';
import type { Pod } from '../kubernetes/objects.ts';
import type { Decided } from './filters.ts';
import type { ApplicableRule } from './rules.ts';

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
  const decidedBy = `MachineDrainRule ${name}`;
  // Only Drain has an order; a wait is always in the batch of order 0.
  if (behavior === 'Skip' || behavior === 'WaitCompleted')
    return {
      kind: 'decided',
      behavior,
      order: 0,
      decidedBy,
      ...(behavior === 'Skip' && { stays: 'by-wish' as const }),
    };
  if (behavior !== 'Drain') return failed(name, `unknown spec.drain.behavior: ${asQuoted(behavior)}`);
  const parsed = parseOrder(order);
  if (parsed === undefined) return failed(name, `invalid spec.drain.order: ${asQuoted(order)}`);
  return { kind: 'decided', behavior, order: parsed, decidedBy };
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
