import type { Machine } from '../../machine/machine.ts';
import { type ConditionList, conditionsFrom } from '../conditions.ts';
import { recordAt } from '../fields.ts';

/** All conditions of a Machine: its API version's own, and those of the other form, which stand apart from them. */
export function conditionsSaid({ raw }: Machine): ConditionList {
  const lists = [recordAt(raw, 'status'), recordAt(raw, 'status', 'v1beta2')].concat(
    recordAt(raw, 'status', 'deprecated', 'v1beta1'),
  );
  return lists.flatMap(({ conditions }) => conditionsFrom(conditions));
}
