import type { RefusalCause } from '../../../shared/kubernetes/port.ts';

/** What a refused eviction means for the deletion. */
export const meaningOf: Readonly<Record<RefusalCause, string>> = {
  BudgetExhausted:
    'For the moment: it is tried again when the budget has room, usually once a new Pod is Ready elsewhere.',
  BudgetNeverAllows:
    'For ever: this budget never lets a Pod go. Change the budget, or delete the Pod yourself.',
  BudgetNotObserved: 'For the moment: the budget was changed and its status is not up to date yet.',
  MultipleBudgets: 'For ever: the API evicts no Pod that several budgets select. Change one of the budgets.',
  NamespaceTerminating: 'For the moment: the namespace is being deleted, and its Pods with it.',
  Throttled: 'For the moment: the API server asks to slow down.',
  NotAttempted: 'For the moment: there was no time left for it in this round.',
  Failed: 'Nothing is known: the API server gave no usable answer. It is tried again.',
};
