import { type ObservedDrain, planDrain } from '../../shared/drain/plan.ts';
import type { PodRecord } from '../../shared/drain/pod-record.ts';
import type { PodVerdict } from '../../shared/drain/verdict.ts';
import type { EvictionAnswer } from '../../shared/kubernetes/client.ts';
import type { JudgedDrain } from '../../shared/observe/drain.ts';
import { recordsOf } from './pods.ts';
import { aNode } from './subject.ts';

export interface ObservedDrainParts
  extends Partial<Omit<JudgedDrain, 'kind' | 'plan' | 'remembered' | 'records' | 'answers' | 'budgets'>> {
  verdicts: PodVerdict[];
  records?: PodRecord[];
  answers?: Record<string, EvictionAnswer>;
  budgets?: ObservedDrain['budgets'];
}

/** One look at a cordoned Node with Pods on it. */
export function anObservedDrain({
  verdicts,
  records = [],
  answers = {},
  budgets = new Map(),
  ...others
}: ObservedDrainParts): JudgedDrain {
  const known = recordsOf(...records);
  return {
    kind: 'judged',
    node: aNode(),
    unreachable: false,
    plan: planDrain(verdicts, { records: known }),
    resting: new Map(),
    remembered: known,
    records: known,
    answers: new Map(Object.entries(answers)),
    budgets,
    blocked: [],
    resourceVersion: '900',
    ...others,
  };
}
