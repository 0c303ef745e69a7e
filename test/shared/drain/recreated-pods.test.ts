import { describe, expect, test } from 'vitest';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import { hasReturned, restingPods } from '../../../shared/drain/recreated-pods.ts';
import type { Pod } from '../../../shared/kubernetes/objects.ts';
import { recordsOf } from '../../builders/pods.ts';

const evictedAt = Date.parse('2026-01-01T00:00:10.500Z');

const evicted = (changes: Partial<PodRecord> = {}): PodRecord => ({
  podUid: 'old',
  namespace: 'shop',
  name: 'agent-abc12',
  attempts: 1,
  refusals: {},
  firstAttempt: evictedAt,
  lastAttempt: evictedAt,
  outcome: 'accepted',
  ...changes,
});

const aPod = (metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: {
    name: 'agent-xyz89',
    namespace: 'shop',
    uid: 'new',
    generateName: 'agent-',
    creationTimestamp: '2026-01-01T00:00:12Z',
    ...metadata,
  },
});

test.each<[string, Pod, PodRecord, boolean]>([
  ['with the prefix of one that was evicted has returned', aPod(), evicted(), true],
  [
    'with the very name of one that was evicted has returned',
    aPod({ name: 'agent-abc12', generateName: '' }),
    evicted(),
    true,
  ],
  [
    'that was there before the eviction has not',
    aPod({ creationTimestamp: '2026-01-01T00:00:10Z' }),
    evicted(),
    false,
  ],
  [
    'that is as old as the eviction has not',
    aPod(),
    evicted({ lastAttempt: Date.parse('2026-01-01T00:00:12Z') }),
    false,
  ],
  ['is not its own predecessor', aPod({ uid: 'old' }), evicted(), false],
  ['of another namespace has not', aPod({ namespace: 'other' }), evicted(), false],
  ['of another prefix has not', aPod({ generateName: 'web-' }), evicted(), false],
  ['without a prefix and of another name has not', aPod({ generateName: '' }), evicted(), false],
  ['whose predecessor was refused has not', aPod(), evicted({ outcome: 'refused' }), false],
])('a Pod %s', (_what, pod, record, expected) => {
  expect(hasReturned(pod, new Map([[record.podUid, record]]))).toBe(expected);
});

describe('a Pod rests', () => {
  const deletedAt = Date.parse('2026-01-01T00:00:10Z');
  const now = evictedAt + 5_000;
  const restsUntil = (pod: Pod, records: PodRecord[]) =>
    restingPods([pod], { records: recordsOf(...records), deletedAt, now }).get('new');
  const lastAttempted = (at: number): PodRecord => evicted({ lastAttempt: at });

  test.each<[string, number | undefined, Pod, PodRecord[]]>([
    ['until 20 s after the eviction of one of its kind', evictedAt + 20_000, aPod(), [evicted()]],
    [
      'also one that was made in the second in which the deletion began',
      evictedAt + 20_000,
      aPod({ creationTimestamp: '2026-01-01T00:00:10Z' }),
      [evicted()],
    ],
    [
      'until 20 s after the last eviction of its kind, whoever made it',
      now + 17_000,
      aPod(),
      [lastAttempted(now - 3_000), evicted({ podUid: 'other', name: 'agent-def34' })],
    ],
    [
      'also where its predecessor was gone already',
      evictedAt + 20_000,
      aPod(),
      [evicted({ outcome: 'gone' })],
    ],
    [
      'also where nobody knows whether the eviction that failed was obeyed',
      evictedAt + 20_000,
      aPod(),
      [evicted({ outcome: 'refused', lastRefusal: { cause: 'Failed', text: 'the server answered 500' } })],
    ],
    [
      'also where a webhook denied it, which may have moved it itself',
      evictedAt + 20_000,
      aPod(),
      [evicted({ outcome: 'refused', lastRefusal: { cause: 'AdmissionWebhook', text: 'evacuation' } })],
    ],
    ['by what a clock a little ahead wrote', now + 22_000, aPod(), [lastAttempted(now + 2_000)]],
    [
      'by what is near, not by what a clock far ahead wrote',
      evictedAt + 20_000,
      aPod(),
      [evicted(), evicted({ podUid: 'other', lastAttempt: now + 3_600_000 })],
    ],
    [
      'not when it was there before the deletion',
      undefined,
      aPod({ creationTimestamp: '2026-01-01T00:00:09Z' }),
      [evicted()],
    ],
    ['not when nobody knows how old it is', undefined, aPod({ creationTimestamp: '' }), [evicted()]],
    ['not when nothing of its kind was evicted', undefined, aPod({ generateName: 'web-' }), [evicted()]],
    ['not when nothing is known', undefined, aPod(), []],
    [
      'not when nobody knows what refused its predecessor',
      undefined,
      aPod(),
      [evicted({ outcome: 'refused' })],
    ],
    [
      'not when its predecessor was refused',
      undefined,
      aPod(),
      [evicted({ outcome: 'refused', lastRefusal: { cause: 'BudgetExhausted', text: 'no' } })],
    ],
    [
      'not when it was asked about itself: its own back-off counts',
      undefined,
      aPod(),
      [evicted(), evicted({ podUid: 'new', name: 'agent-xyz89', outcome: 'refused' })],
    ],
    ['not once the eviction is 20 s ago', undefined, aPod(), [lastAttempted(now - 20_000)]],
    ['for a last moment before that', now + 1, aPod(), [lastAttempted(now - 19_999)]],
    ['not by what a clock far ahead wrote', undefined, aPod(), [lastAttempted(now + 20_000)]],
  ])('%s', (_when, expected, pod, records) => {
    expect(restsUntil(pod, records)).toBe(expected);
  });

  test('not where nobody knows when the deletion began', () => {
    const inputs = { records: recordsOf(evicted()), deletedAt: undefined, now };
    expect([...restingPods([aPod()], inputs)]).toEqual([]);
  });
});
