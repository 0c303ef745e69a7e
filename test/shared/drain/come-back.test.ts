import { describe, expect, test } from 'vitest';
import { drainMessage } from '../../../shared/drain/message.ts';
import { planDrain } from '../../../shared/drain/plan.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import { podsBack, returnText } from '../../../shared/drain/recreated-pods.ts';
import type { PodVerdict } from '../../../shared/drain/verdict.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { pod, record, recordsOf, verdict } from '../../builders/pods.ts';

const started = 'Drain not completed yet (started at 2026-01-01T12:00:00Z):';
const evictedAt = Date.parse('2026-01-01T12:00:10.600Z');

const made = (name: string, creationTimestamp: string, parts = {}): PodVerdict => {
  const each = verdict(name, 'Drain', 0, parts);
  Object.assign(each.pod.metadata, { creationTimestamp, generateName: 'agent-' });
  return each;
};

const before = (changes: Partial<PodRecord> = {}): PodRecord =>
  record('ns/agent-1', { podUid: 'before', outcome: 'accepted', lastAttempt: evictedAt, ...changes });

function back(verdicts: PodVerdict[], known: PodRecord[], resting: string[] = []): string[] {
  const remembered = recordsOf(...known);
  const plan = planDrain(verdicts, { records: remembered });
  const rests = new Map(resting.map((name) => [name, evictedAt]));
  return podsBack({ plan, resting: rests, remembered }).map(({ metadata }) => metadata.name);
}

describe('a Pod came back', () => {
  test.each<[when: string, creationTimestamp: string]>([
    ['after its predecessor was evicted', '2026-01-01T12:00:30Z'],
    ['within the same second', '2026-01-01T12:00:10Z'],
  ])('that was made %s', (_when, creationTimestamp) => {
    expect(back([made('ns/agent-2', creationTimestamp)], [before()])).toEqual(['agent-2']);
  });

  test('that is on its way again, too', () => {
    const gone = { deletionTimestamp: '2026-01-01T12:00:40Z' };
    expect(back([made('ns/agent-2', '2026-01-01T12:00:30Z', gone)], [before()])).toEqual(['agent-2']);
  });

  test('that is left alone for now', () => {
    expect(back([verdict('ns/a'), verdict('ns/b')], [], ['ns/b'])).toEqual(['b']);
  });

  test.each<[what: string, creationTimestamp: string, known: PodRecord]>([
    ['was made before', '2026-01-01T12:00:09Z', before()],
    ['is of another kind', '2026-01-01T12:00:30Z', before({ name: 'web-1' })],
    ['is in another namespace', '2026-01-01T12:00:30Z', before({ namespace: 'other' })],
    ['stands where none has gone', '2026-01-01T12:00:30Z', before({ outcome: 'refused' })],
    ['was evicted itself', '2026-01-01T12:00:30Z', before({ podUid: 'ns/agent-2' })],
  ])('but not one that %s', (_what, creationTimestamp, known) => {
    expect(back([made('ns/agent-2', creationTimestamp)], [known])).toEqual([]);
  });
});

test('no line is said where none came back, and three are named', () => {
  expect(returnText([])).toEqual([]);
  expect(returnText(['ns/a', 'ns/b', 'ns/c', 'ns/d'].map((name) => pod(name)))).toEqual([
    'Pods ns/a, ns/b, ns/c, ... (1 more) came back to the cordoned Node after an eviction, and are evicted again every 20 s',
  ]);
});

interface Said {
  answers?: Record<string, EvictionAnswer>;
  back?: PodVerdict[];
}

const said = (verdicts: PodVerdict[], { answers = {}, back: those = [] }: Said): string[] =>
  drainMessage({
    plan: planDrain(verdicts, { records: new Map() }),
    answers: new Map(Object.entries(answers)),
    records: new Map(),
    startedAt: Date.parse('2026-01-01T12:00:00Z'),
    back: those.map((each) => each.pod),
  }).split('\n');

describe('the message of a drain', () => {
  const going = verdict('ns/a', 'Drain', 0, { deletionTimestamp: '2026-01-01T12:00:10Z' });
  const later = verdict('ns/later', 'Drain', 1);
  const job = verdict('ns/job', 'WaitCompleted', 1);
  const returned = verdict('ns/back', 'Drain', 1);
  const line =
    'Pod ns/back came back to the cordoned Node after an eviction, and is evicted again every 20 s';

  test('has what came back in a line of ours after all lines of the peer', () => {
    expect(said([going, later, returned], { back: [returned] })).toEqual([
      started,
      '* Pod ns/a: deletionTimestamp set, but still not removed from the Node',
      'After above Pods have been removed from the Node, the following Pods will be evicted: ns/later',
      line,
    ]);
  });

  test('points at no Pods above where there are none', () => {
    const answers = { 'ns/gone': { kind: 'gone' } } as const;
    expect(said([verdict('ns/gone'), later, job], { answers })).toEqual([
      started,
      'Next, the following Pods will be evicted: ns/later',
      'Next, waiting for the following Pods to complete without eviction: ns/job',
    ]);
    expect(said([returned], { back: [returned] })).toEqual([started, line]);
  });
});
