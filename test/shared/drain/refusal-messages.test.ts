import { expect, test } from 'vitest';
import { refusalTexts } from '../../../shared/drain/message.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { pod, record, recordsOf } from '../../builders/pods.ts';

const refusedAt = (lastAttempt: number, name: string, text: string, budget?: string): PodRecord =>
  record(name, {
    lastAttempt,
    lastRefusal: { cause: 'BudgetExhausted', text, ...(budget === undefined ? {} : { budget }) },
  });

const refused = (text: string, budget: string): EvictionAnswer => ({
  kind: 'refused',
  cause: 'BudgetExhausted',
  text,
  budget,
});

test.each<[string, PodRecord[], Record<string, EvictionAnswer>, Record<string, string>]>([
  [
    'the newest answer of a budget stands for all of its Pods',
    [
      refusedAt(1, 'ns/a', 'has 10', 'web'),
      refusedAt(2, 'ns/b', 'has 9', 'web'),
      refusedAt(1, 'ns/c', 'has 10', 'web'),
    ],
    {},
    { 'ns/a': 'has 9', 'ns/b': 'has 9', 'ns/c': 'has 9' },
  ],
  [
    'an answer of this look is newer than any that is remembered',
    [refusedAt(1, 'ns/a', 'has 10', 'web'), refusedAt(5, 'ns/b', 'has 9', 'web')],
    { 'ns/a': refused('has 8', 'web') },
    { 'ns/a': 'has 8', 'ns/b': 'has 8' },
  ],
  [
    'another budget speaks for its own Pods, also one of the same name elsewhere',
    [
      refusedAt(1, 'ns/a', 'has 10', 'web'),
      refusedAt(2, 'ns/b', 'has 3', 'cache'),
      refusedAt(3, 'other/c', 'has 1', 'web'),
    ],
    {},
    { 'ns/a': 'has 10', 'ns/b': 'has 3', 'other/c': 'has 1' },
  ],
  [
    'refusals by no budget are each their own',
    [refusedAt(1, 'ns/a', 'early'), refusedAt(2, 'ns/b', 'late')],
    {},
    { 'ns/a': 'early', 'ns/b': 'late' },
  ],
  [
    'answers of the same time are each their own',
    [refusedAt(2, 'ns/a', 'has 10', 'web'), refusedAt(2, 'ns/b', 'has 9', 'web')],
    {},
    { 'ns/a': 'has 10', 'ns/b': 'has 9' },
  ],
  [
    'time begins at nought',
    [refusedAt(1, 'ns/a', 'has 9', 'web'), refusedAt(0, 'ns/b', 'has 10', 'web')],
    {},
    { 'ns/a': 'has 9', 'ns/b': 'has 9' },
  ],
  [
    'a Pod that goes now has no refusal any more',
    [refusedAt(1, 'ns/a', 'has 10', 'web'), refusedAt(1, 'ns/b', 'has 10', 'web')],
    { 'ns/a': { kind: 'accepted' } },
    { 'ns/b': 'has 10' },
  ],
])('%s', (_what, records, answers, texts) => {
  const pods = records.map(({ namespace, name }) => pod(`${namespace}/${name}`));
  const found = refusalTexts(pods, new Map(Object.entries(answers)), recordsOf(...records));
  expect(Object.fromEntries(found)).toEqual(texts);
});
