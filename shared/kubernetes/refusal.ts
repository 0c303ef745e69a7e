/** Why an eviction was refused. */
export type RefusalCause =
  /** The disruption budget allows none at the moment. */
  | 'BudgetExhausted'
  /** The disruption budget's own numbers can never allow one (for example maxUnavailable 0). */
  | 'BudgetNeverAllows'
  /** The same, but an operator keeps the budget or the Pod: it lets go once it has moved what runs there. */
  | 'BudgetHeldByOperator'
  /** The budget's status is older than its spec: the API asks for a pause. */
  | 'BudgetNotObserved'
  /** More than one budget selects the Pod; only a person can resolve that. */
  | 'MultipleBudgets'
  | 'NamespaceTerminating'
  /** The API server, not a budget, asks to slow down. */
  | 'Throttled'
  /** Our own time for this look was used up before the call. */
  | 'NotAttempted'
  | 'Failed';

/** The answer to an eviction that was refused. */
export interface Refusal {
  kind: 'refused';
  cause: RefusalCause;
  /** The API's own words. */
  text: string;
  budget?: string;
  /** Ours, of what the budget itself says beyond that. */
  explanation?: string;
  /** The text with verb, path, host and code, for the log, where that says more. */
  detail?: string;
  retryAfterSeconds?: number;
}
