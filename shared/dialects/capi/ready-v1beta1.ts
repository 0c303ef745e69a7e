import type { Condition } from '../../kubernetes/objects.ts';
import { type ConditionList, find, type WantedCondition } from '../conditions.ts';

/** What Ready is made of, the most telling first. */
const parts = [
  'InfrastructureReady',
  'BootstrapReady',
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'DrainingSucceeded',
];

/** The worst comes first; equally bad ones keep the order of the parts. */
function badness({ status, severity }: Condition): number {
  if (status === 'True') return 3;
  if (status === 'Unknown') return 4;
  const rank = ['Error', 'Warning', 'Info'].indexOf(severity ?? '');
  return rank === -1 ? 5 : rank;
}

/** v1beta1's Ready: True when no part is bad, else what the worst part says. Undefined when there are no parts. */
export function readyV1Beta1Saying(list: ConditionList): WantedCondition | undefined {
  const [worst] = parts.flatMap((type) => find(list, type) ?? []).toSorted((a, b) => badness(a) - badness(b));
  if (worst === undefined) return undefined;
  if (worst.status === 'True') return { type: 'Ready', status: 'True' };
  const { status, reason = '', message = '' } = worst;
  const severity = status === 'False' ? (worst.severity ?? '') : '';
  return { type: 'Ready', status, reason, message, severity };
}
