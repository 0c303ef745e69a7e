import * as z from 'zod';
import type { RefusalCause } from '../shared/kubernetes/client.ts';
import { type PhaseExit, reasons } from '../shared/machine/reason.ts';

// Written as objects so that the compiler finds a word that is missing here.

const leavings: { [L in PhaseExit]: L } = {
  done: 'done',
  excluded: 'excluded',
  'timed-out': 'timed-out',
  'not-applicable': 'not-applicable',
  returned: 'returned',
};

const causes: { [C in RefusalCause]: C } = {
  BudgetExhausted: 'BudgetExhausted',
  BudgetNeverAllows: 'BudgetNeverAllows',
  BudgetHeldByOperator: 'BudgetHeldByOperator',
  BudgetNotObserved: 'BudgetNotObserved',
  MultipleBudgets: 'MultipleBudgets',
  NamespaceTerminating: 'NamespaceTerminating',
  AdmissionWebhook: 'AdmissionWebhook',
  Throttled: 'Throttled',
  NotAttempted: 'NotAttempted',
  Failed: 'Failed',
};

export const reasonWord = z.enum(reasons);
export const leaving = z.enum(leavings);
export const refusalCause = z.enum(causes);
