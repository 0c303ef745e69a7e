import { expect, test } from 'vitest';
import { type Condition, isFinished, isReady, type Pod } from '../../../shared/kubernetes/objects.ts';

const metadata = { namespace: 'ns', name: 'a' };
const inPhase = (phase: string): Pod => ({ metadata, status: { phase } });

test.each<[string, Pod, boolean]>([
  ['one that has succeeded', inPhase('Succeeded'), true],
  ['one that has failed', inPhase('Failed'), true],
  ['one that runs', inPhase('Running'), false],
  ['one of which nothing is said yet', { metadata }, false],
])('a Pod is finished or not: %s', (_, pod, expected) => {
  expect(isFinished(pod)).toBe(expected);
});

const ready = (status: Condition['status']): Condition => ({ type: 'Ready', status });

test.each<[string, Pod['status'], boolean]>([
  ['one whose condition says so', { conditions: [ready('True')] }, true],
  ['one whose condition denies it', { conditions: [ready('False')] }, false],
  [
    'one that is only initialized',
    { conditions: [{ type: 'Initialized', status: 'True' }, ready('False')] },
    false,
  ],
  ['one without that condition', { conditions: [] }, false],
  ['one without conditions', {}, false],
])('a Pod is ready or not: %s', (_, status, expected) => {
  expect(isReady({ metadata, ...(status && { status }) })).toBe(expected);
});

test('a Pod of which nothing is said yet is not ready', () => {
  expect(isReady({ metadata })).toBe(false);
});
