import { describe, expect, test } from 'vitest';
import { type EvictionRecord, type PodRecord, withEviction } from '../../../shared/drain/pod-record.ts';

const budgetRefusal = { cause: 'BudgetExhausted', text: 'no', budget: 'web' } as const;
const throttled = { cause: 'Throttled', text: 'slow down' } as const;

const anEviction = (parts: Partial<EvictionRecord> = {}): EvictionRecord => ({
  podUid: 'uid-a',
  namespace: 'ns',
  name: 'a',
  at: 1_000,
  outcome: 'refused',
  ...parts,
});

const after = (...evictions: EvictionRecord[]): PodRecord | undefined =>
  evictions.reduce<PodRecord | undefined>((record, eviction) => withEviction(record, eviction), undefined);

test('the first attempt is the last one too', () => {
  expect(after(anEviction({ refusal: budgetRefusal, notBefore: 1_200 }))).toStrictEqual({
    podUid: 'uid-a',
    namespace: 'ns',
    name: 'a',
    attempts: 1,
    refusals: { BudgetExhausted: 1 },
    firstAttempt: 1_000,
    lastAttempt: 1_000,
    outcome: 'refused',
    lastRefusal: budgetRefusal,
    notBefore: 1_200,
  });
});

test('attempts add up, refusals by their cause; the last refusal stays, its back-off does not', () => {
  const evictions = [
    anEviction({ refusal: budgetRefusal, notBefore: 1_200 }),
    anEviction({ at: 2_000, refusal: budgetRefusal, notBefore: 2_400 }),
    anEviction({ at: 3_000, refusal: throttled, notBefore: 3_800 }),
    anEviction({ at: 4_000, outcome: 'accepted' }),
  ];
  expect(after(...evictions)).toStrictEqual({
    podUid: 'uid-a',
    namespace: 'ns',
    name: 'a',
    attempts: 4,
    refusals: { BudgetExhausted: 2, Throttled: 1 },
    firstAttempt: 1_000,
    lastAttempt: 4_000,
    outcome: 'accepted',
    lastRefusal: throttled,
  });
});

test('what was never refused has no refusal', () => {
  expect(after(anEviction({ outcome: 'accepted' }))).toStrictEqual({
    podUid: 'uid-a',
    namespace: 'ns',
    name: 'a',
    attempts: 1,
    refusals: {},
    firstAttempt: 1_000,
    lastAttempt: 1_000,
    outcome: 'accepted',
  });
});

describe('the outcome', () => {
  test.each<[string, PodRecord['outcome'][], PodRecord['outcome']]>([
    ['of an acceptance after a refusal', ['refused', 'accepted'], 'accepted'],
    ['of a refusal that arrives after an acceptance', ['accepted', 'refused'], 'accepted'],
    ['of a refusal that arrives after its Pod was gone', ['gone', 'refused'], 'gone'],
    ['of a Pod that is gone after all', ['accepted', 'gone'], 'gone'],
  ])('%s', (_, outcomes, expected) => {
    expect(after(...outcomes.map((outcome) => anEviction({ outcome })))?.outcome).toBe(expected);
  });
});
