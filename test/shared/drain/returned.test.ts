import { expect, test } from 'vitest';
import { hasReturned } from '../../../shared/drain/returned.ts';
import type { Pod } from '../../../shared/kubernetes/objects.ts';
import type { PodRecord } from '../../../shared/store/port.ts';

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
  ['is not its own predecessor', aPod({ uid: 'old' }), evicted(), false],
  ['of another namespace has not', aPod({ namespace: 'other' }), evicted(), false],
  ['of another prefix has not', aPod({ generateName: 'web-' }), evicted(), false],
  ['without a prefix and of another name has not', aPod({ generateName: '' }), evicted(), false],
  ['whose predecessor was refused has not', aPod(), evicted({ outcome: 'refused' }), false],
])('a Pod %s', (_what, pod, record, expected) => {
  expect(hasReturned(pod, new Map([[record.podUid, record]]))).toBe(expected);
});
