import { isUnsynced } from '../drain/unsynced.ts';
import type { PlannedRefusal } from '../plan/deletion-plan.ts';

/** What refused evictions mean for the deletion. */
const meanings: Readonly<Record<PlannedRefusal['cause'], string>> = {
  BudgetExhausted:
    'For the moment: it is tried again when the budget has room, usually once a new Pod is Ready elsewhere.',
  BudgetNeverAllows:
    'For ever: this budget never lets a Pod go. Change the budget, or delete the Pod yourself.',
  BudgetHeldByOperator:
    'Until the operator of that owner acts: usually it moves what runs here because the Node is cordoned, and the ' +
    'eviction is tried again as usual. If nothing moves, look at that owner. To force the Pod off can destroy its data.',
  BudgetNotObserved: 'For the moment: the budget was changed and its status is not up to date yet.',
  MultipleBudgets: 'For ever: the API evicts no Pod that several budgets select. Change one of the budgets.',
  NamespaceTerminating: 'For the moment: the namespace is being deleted, and its Pods with it.',
  AdmissionWebhook:
    'Until that webhook lets it: it may move the Pod itself, as KubeVirt does, or wait for a person. It is tried again.',
  Throttled: 'For the moment: the API server asks to slow down.',
  NotAttempted: 'For the moment: there was no time left for it in this round.',
  Unknown: 'Nothing is known: in the cluster itself the budget may or may not let the Pod go.',
  Failed: 'Nothing is known: the API server gave no usable answer. It is tried again.',
};

/** A budget whose sync fails counts no Pods: neither its operator nor more Pods change that. */
const unsynced =
  'Until its sync is mended: its controller cannot count the Pods, and it lets none go. Nothing else changes that.';

/** The same of one refusal, by what the API says. */
export const meaningOf = ({ cause, message }: Pick<PlannedRefusal, 'cause' | 'message'>): string =>
  isUnsynced(message) ? unsynced : meanings[cause];
