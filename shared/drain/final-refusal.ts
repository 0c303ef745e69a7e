import type { Refusal, RefusalCause } from '../kubernetes/refusal.ts';

const final: readonly RefusalCause[] = [
  'BudgetNeverAllows',
  'BudgetHeldByOperator',
  'MultipleBudgets',
  'NamespaceTerminating',
];

/** Whether an eviction that is refused so stays refused until somebody changes what refuses it. */
export const isFinalRefusal = ({ cause }: Pick<Refusal, 'cause'>): boolean => final.includes(cause);
