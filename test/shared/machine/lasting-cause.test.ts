import { describe, expect, it } from 'vitest';
import { type LastingCause, lastingAfter } from '../../../shared/machine/lasting-cause.ts';

const since = 1_000;
const at = 61_000;
const never: LastingCause = { cause: 'BudgetNeverAllows', since };
const exhausted: LastingCause = { cause: 'BudgetExhausted', since };

describe('the cause that keeps a Pod', () => {
  it.each<[string, LastingCause | undefined, LastingCause['cause'], boolean, LastingCause | undefined]>([
    [
      'begins with its first refusal',
      undefined,
      'BudgetExhausted',
      false,
      { cause: 'BudgetExhausted', since: at },
    ],
    ['lasts while it is the same', never, 'BudgetNeverAllows', false, never],
    [
      'begins anew with another one',
      never,
      'AdmissionWebhook',
      false,
      { cause: 'AdmissionWebhook', since: at },
    ],
    ['lasts while its budget only empties', exhausted, 'BudgetNeverAllows', false, never],
    ['lasts while its budget only fills', never, 'BudgetExhausted', false, exhausted],
    [
      'begins anew if its budget allowed one in between',
      exhausted,
      'BudgetNeverAllows',
      true,
      { cause: 'BudgetNeverAllows', since: at },
    ],
    ['lasts through an answer for a moment', exhausted, 'BudgetNotObserved', false, exhausted],
    ['lasts while the API server asks to slow down', exhausted, 'Throttled', false, exhausted],
    ['lasts through an attempt that failed', exhausted, 'Failed', false, exhausted],
    ['is none after an attempt that failed', undefined, 'Failed', false, undefined],
  ])('%s', (_what, known, cause, wasFree, after) => {
    expect(lastingAfter(known, { cause, at, wasFree })).toEqual(after);
  });
});
