import { expect, test } from 'vitest';
import { drainTally } from '../../../shared/drain/summary.ts';
import { anObservedDrain } from '../../builders/observed-drain.ts';
import { verdict } from '../../builders/pods.ts';

test('an eviction that was accepted is not still to be triggered: its Pod is on its way', () => {
  const seen = anObservedDrain({
    verdicts: [verdict('ns/a'), verdict('ns/b'), verdict('ns/c', 'Drain', 1)],
    answers: {
      'ns/a': { kind: 'accepted' },
      'ns/b': { kind: 'refused', cause: 'Failed', text: 'no' },
    },
  });
  expect(drainTally(seen)).toEqual({
    node: 'node-1',
    pods: {
      podsToTriggerEvictionNow: ['ns/b'],
      podsToTriggerEvictionLater: ['ns/c'],
      podsFailedEviction: ['ns/b'],
      podsWithDeletionTimestamp: ['ns/a'],
      podsToWaitCompletedNow: [],
      podsToWaitCompletedLater: [],
    },
  });
});
