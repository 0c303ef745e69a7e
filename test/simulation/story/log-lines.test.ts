import { expect, test } from 'vitest';
import { logWords } from './log-lines.ts';

const about = { function: 'drain', request: 'instance-1-7', Machine: 'fleet/m1', uid: 'a6', phase: 'drain' };

test.each<[level: string, message: string, fields: object, words: string | undefined]>([
  ['debug', 'Nothing to do', about, undefined],
  ['info', 'Cordoning Node', { ...about, Node: 'n' }, undefined],
  [
    'info',
    'Phase passed',
    { ...about, as: 'timed-out', message: 'after 60 s' },
    'passes drain of Machine fleet/m1 as timed-out: after 60 s',
  ],
  [
    'info',
    'Phases passed over',
    {
      ...about,
      phases: 'drain, volume-detach',
      as: 'not-applicable',
      message: 'the Cluster is being deleted',
    },
    'passes over drain, volume-detach of Machine fleet/m1 as not-applicable: the Cluster is being deleted',
  ],
  [
    'info',
    'Phases passed over',
    { ...about, phases: 'drain', as: 'excluded' },
    'passes over drain of Machine fleet/m1 as excluded',
  ],
  [
    'info',
    'Returning to phase',
    { ...about, phase: 'volume-detach', to: 'drain', message: 'Pods have come' },
    'takes Machine fleet/m1 back to drain: Pods have come',
  ],
  [
    'info',
    'Deletion waits',
    { ...about, reason: 'Paused', message: 'it is', again: '1m0s' },
    'waits in drain of Machine fleet/m1: Paused, looks again in 1m0s at the latest',
  ],
  [
    'info',
    'Drain not completed yet, requeuing in 20s',
    { ...about, Node: 'n', podsWithDeletionTimestamp: 'shop/a' },
    'waits in drain of Machine fleet/m1, looks again in 20s at the latest',
  ],
  [
    'warn',
    'Machine could not be kept in step',
    { Machine: 'fleet/m1', why: 'the provider is down' },
    'warns: Machine could not be kept in step: Machine fleet/m1 (why: the provider is down)',
  ],
  [
    'warn',
    'Deletion is held up',
    { ...about, reason: 'DrainingNode', message: 'see the log', error: 'a bad rule', again: '20s' },
    'warns: Deletion is held up: Machine fleet/m1 in drain: a bad rule; looks again in 20s',
  ],
  [
    'warn',
    'Machines could not be listed',
    { function: 'sweep', request: 'instance-1-3', api: 'v1alpha1', why: '504' },
    'warns: Machines could not be listed (api: v1alpha1, why: 504)',
  ],
  [
    'warn',
    'request',
    { function: 'sweep', request: 'instance-1-3', status: 503, milliseconds: 4, why: 'no answer' },
    'warns: its sweep is answered 503: no answer',
  ],
  [
    'error',
    'A bug',
    { ...about, error: 'x is undefined' },
    'ERROR: A bug (Machine: fleet/m1, phase: drain, error: x is undefined)',
  ],
])('%s: %s', (level, message, fields, words) => {
  expect(logWords(level, message, fields)).toBe(words);
});
