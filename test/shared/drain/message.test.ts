import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { drainMessage } from '../../../shared/drain/message.ts';
import { planDrain } from '../../../shared/drain/plan.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { PodVerdict } from '../../../shared/drain/verdict.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { record, recordsOf, verdict } from '../../builders/pods.ts';
import { goldenMessage } from './golden.ts';

const gone = { deletionTimestamp: '2026-11-20T12:00:00Z' };
const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const twoBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';

const accepted: EvictionAnswer = { kind: 'accepted' };
const refused = (text: string): EvictionAnswer => ({ kind: 'refused', cause: 'Failed', text });
const needs = (name: string, count: number) =>
  refused(`${violates} The disruption budget ${name} needs ${count} healthy pods and has ${count} currently`);

interface Case {
  at?: string;
  answers?: Record<string, EvictionAnswer>;
  records?: Map<string, PodRecord>;
}

function message(
  verdicts: PodVerdict[],
  { at = '2026-11-20T12:00:00.999Z', answers = {}, records = new Map() }: Case = {},
) {
  return drainMessage({
    plan: planDrain(verdicts, { records }),
    answers: new Map(Object.entries(answers)),
    records,
    startedAt: Date.parse(at),
  });
}

test('a Pod whose turn to be evicted has not come is told so, and not as a failure', () => {
  const waiting: EvictionAnswer = { kind: 'refused', cause: 'NotAttempted', text: 'not in time' };
  expect(
    message([verdict('ns/a'), verdict('ns/b')], { answers: { 'ns/a': accepted, 'ns/b': waiting } }),
  ).toBe(
    [
      'Drain not completed yet (started at 2026-11-20T12:00:00Z):',
      '* Pod ns/a: deletionTimestamp set, but still not removed from the Node',
      '* Pod ns/b: waiting for an eviction that has not been tried yet',
    ].join('\n'),
  );
});

const named = (prefix: string, names: string[]): string[] => names.map((name) => `bench/${prefix}-${name}`);
const all = (names: string[], answer: EvictionAnswer) =>
  Object.fromEntries(names.map((name) => [name, answer]));

test('recorded: a budget refuses ten Pods', () => {
  const pods = named('g-pdb-yam8', ['e1', '78qks', 'd4l6z', 'bzvlm', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']);
  const answers = all(pods, needs('g-pdb-yam8', 10));
  const verdicts = pods.map((name) => verdict(name));
  expect(message(verdicts, { answers, at: '2026-11-20T12:15:02Z' })).toBe(
    goldenMessage('20-draining-pdb-blocked.yaml'),
  );
});

test('recorded: the same 40 s later, from what is remembered of the refusals', () => {
  const pods = named('g-pdb-yam8', ['78qks', 'bzvlm', 'd4l6z', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']);
  const text = `${violates} The disruption budget g-pdb-yam8 needs 10 healthy pods and has 10 currently`;
  const records = recordsOf(
    ...pods.map((each) => record(each, { lastRefusal: { cause: 'BudgetExhausted', text } })),
  );
  const verdicts = pods.map((name) => verdict(name));
  expect(message(verdicts, { records, at: '2026-11-20T12:15:02Z' })).toBe(
    goldenMessage('21-draining-pdb-blocked-after-40s.yaml'),
  );
});

test('recorded: two budgets guard each Pod', () => {
  const pods = named('g-evict-yam8', ['9pfn5', 'bszl5']);
  const verdicts = pods.map((name) => verdict(name));
  expect(message(verdicts, { answers: all(pods, refused(twoBudgets)), at: '2026-11-20T12:16:11Z' })).toBe(
    goldenMessage('23-draining-two-pdbs.yaml'),
  );
});

test('recorded: Pods to wait for hold eleven others', () => {
  const later = named('g-mix-yam8', [
    'bl0',
    'bl1',
    'hold0',
    'hold1',
    'hold2',
    'hold3',
    'hold4',
    'l0',
    'l1',
    'l2',
    'l3',
  ]);
  const waiting = named('g-mix-yam8', ['waitlater', 'waitnow']);
  const verdicts = [
    ...waiting.map((name) => verdict(name, 'WaitCompleted')),
    ...later.map((name) => verdict(name, 'Drain', 5)),
    verdict('bench/g-mix-yam8-skip', 'Skip'),
  ];
  expect(message(verdicts, { at: '2026-11-20T12:16:40Z' })).toBe(goldenMessage('24-draining-mixed.yaml'));
});

test('recorded: evicted, refused and later ones at once', () => {
  const held = named('g-mix2-yam8', ['hold0', 'hold1', 'hold2', 'hold3', 'hold4']);
  const blocked = named('g-mix2-yam8', ['bl0', 'bl1']);
  const doubled = named('g-mix2-yam8', ['dbl0', 'dbl1']);
  const later = named('g-mix2-yam8', ['late0', 'late1', 'late2', 'late3', 'late4']);
  const verdicts = [
    ...later.map((name) => verdict(name, 'Drain', 50)),
    ...[...held, ...blocked, ...doubled].map((name) => verdict(name, 'Drain', 5)),
  ];
  const answers = {
    ...all(held, accepted),
    ...all(blocked, needs('g-mix2-yam8', 2)),
    ...all(doubled, refused(twoBudgets)),
  };
  expect(message(verdicts, { answers, at: '2026-11-20T12:17:11Z' })).toBe(
    goldenMessage('24b-draining-mixed-no-waitcompleted.yaml'),
  );
});

test('recorded: terminating Pods, on a Node that is reached and on one that is not', () => {
  const five = named('g-term-yam8', ['p0', 'p1', 'p2', 'p3', 'p4']).map((name) =>
    verdict(name, 'Drain', 0, gone),
  );
  expect(message(five, { at: '2026-11-20T12:17:38Z' })).toBe(goldenMessage('25-draining-terminating.yaml'));
  const two = named('g-unreach-yam8', ['p0', 'p1']);
  const evicted = two.map((name) => verdict(name));
  expect(message(evicted, { at: '2026-11-20T12:18:06Z', answers: all(two, accepted) })).toBe(
    goldenMessage('26-draining-unreachable.yaml'),
  );
});

const started = 'Drain not completed yet (started at 2026-11-20T12:00:00Z):';

test.each<[string, PodVerdict[], Case, string[]]>([
  [
    'terminating ones come before freshly evicted ones, each part sorted',
    [verdict('ns/z', 'Drain', 0, gone), verdict('ns/b'), verdict('ns/y', 'Drain', 0, gone), verdict('ns/a')],
    { answers: { 'ns/a': accepted, 'ns/b': accepted } },
    ['* Pods ns/y, ns/z, ns/a, ... (1 more): deletionTimestamp set, but still not removed from the Node'],
  ],
  [
    'also when the records say so already',
    [verdict('ns/z', 'Drain', 0, gone), verdict('ns/a')],
    { answers: { 'ns/a': accepted }, records: recordsOf(record('ns/a', { outcome: 'accepted' })) },
    ['* Pods ns/z, ns/a: deletionTimestamp set, but still not removed from the Node'],
  ],
  [
    'and are sorted with those that it does not',
    [verdict('ns/b'), verdict('ns/a')],
    {
      answers: { 'ns/a': accepted, 'ns/b': accepted },
      records: recordsOf(record('ns/b', { outcome: 'accepted' })),
    },
    ['* Pods ns/a, ns/b: deletionTimestamp set, but still not removed from the Node'],
  ],
  [
    'one that may not be hurried is on its way all the same',
    [verdict('ns/a', 'Drain', 0, gone), verdict('ns/b', 'Drain', 0, gone)],
    { answers: { 'ns/a': refused('no'), 'ns/b': { kind: 'gone' } } },
    ['* Pod ns/a: deletionTimestamp set, but still not removed from the Node'],
  ],
  [
    'a Pod that is gone or replaced counts for nothing',
    [verdict('ns/a'), verdict('ns/b'), verdict('ns/c')],
    {
      answers: { 'ns/a': { kind: 'gone' }, 'ns/b': { kind: 'replaced' }, 'ns/c': refused('no') },
      records: recordsOf(record('ns/a', { outcome: 'gone' })),
    },
    ['* Pod ns/c: failed to evict Pod, no'],
  ],
  [
    'also a Pod that was refused before',
    [verdict('ns/a'), verdict('ns/b')],
    {
      answers: { 'ns/a': { kind: 'gone' }, 'ns/b': refused('no') },
      records: recordsOf(record('ns/a', { lastRefusal: { cause: 'Failed', text: 'old' } })),
    },
    ['* Pod ns/b: failed to evict Pod, no'],
  ],
  [
    'a budget’s sentence inside another text is lowered, and still a failure',
    [verdict('ns/a')],
    { answers: { 'ns/a': refused(`webhook said: ${violates}`) } },
    [
      "* Pod ns/a: failed to evict Pod, webhook said: cannot evict pod as it would violate the pod's disruption budget.",
    ],
  ],
  [
    'a Pod without a namespace is shown by its bare name',
    [verdict('/a', 'Drain', 0, gone)],
    {},
    ['* Pod a: deletionTimestamp set, but still not removed from the Node'],
  ],
  [
    'refusals are sorted by their raw text in byte order: capitals first',
    [verdict('ns/a'), verdict('ns/b'), verdict('ns/c'), verdict('ns/d')],
    {
      answers: {
        'ns/a': refused('connection refused'),
        'ns/b': refused(`${violates} The disruption budget b does not allow evicting pods currently`),
        'ns/c': refused('Zone down'),
        'ns/d': refused(`${violates} The disruption budget a does not allow evicting pods currently`),
      },
    },
    [
      "* Pod ns/d: cannot evict pod as it would violate the pod's disruption budget. The disruption budget a does not allow evicting pods currently",
      "* Pod ns/b: cannot evict pod as it would violate the pod's disruption budget. The disruption budget b does not allow evicting pods currently",
      '* Pod ns/c: failed to evict Pod, Zone down',
      '* Pod ns/a: failed to evict Pod, connection refused',
    ],
  ],
  [
    'the raw text is what is sorted, not the words it is shown with',
    [verdict('ns/a'), verdict('ns/b')],
    { answers: { 'ns/a': refused(violates), 'ns/b': refused('An admission webhook denied it') } },
    [
      '* Pod ns/b: failed to evict Pod, An admission webhook denied it',
      "* Pod ns/a: cannot evict pod as it would violate the pod's disruption budget.",
    ],
  ],
  [
    'the answer of this look counts more than the remembered refusal',
    [verdict('ns/a')],
    {
      answers: { 'ns/a': refused('new') },
      records: recordsOf(record('ns/a', { lastRefusal: { cause: 'Failed', text: 'old' } })),
    },
    ['* Pod ns/a: failed to evict Pod, new'],
  ],
  [
    'of more than five texts the Pods of the others are counted: one',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => verdict(`ns/${name}`)),
    {
      answers: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`ns/${name}`, refused(name)]),
      ),
    },
    [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => `* Pod ns/${name}: failed to evict Pod, ${name}`),
      '* 1 Pod with other issues',
    ],
  ],
  [
    'of more than five texts the Pods of the others are counted: several',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => verdict(`ns/${name}`)),
    {
      answers: {
        ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`ns/${name}`, refused(name)])),
        'ns/f': refused('f'),
        'ns/g': refused('f'),
        'ns/h': refused('h'),
      },
    },
    [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => `* Pod ns/${name}: failed to evict Pod, ${name}`),
      '* 3 Pods with other issues',
    ],
  ],
  [
    'everything in its order',
    [
      verdict('ns/t', 'Drain', 9, gone),
      verdict('ns/n', 'Drain', -1),
      verdict('ns/l', 'Drain', 1),
      verdict('ns/w', 'WaitCompleted'),
    ],
    { answers: { 'ns/n': refused('no') } },
    [
      '* Pod ns/t: deletionTimestamp set, but still not removed from the Node',
      '* Pod ns/n: failed to evict Pod, no',
      'After above Pods have been removed from the Node, the following Pods will be evicted: ns/l',
      'After above Pods have been removed from the Node, waiting for the following Pods to complete without eviction: ns/w',
    ],
  ],
  ['one Pod to wait for', [verdict('ns/w', 'WaitCompleted')], {}, ['* Pod ns/w: waiting for completion']],
])('%s', (_, verdicts, parts, lines) => {
  expect(message(verdicts, parts)).toBe([started, ...lines].join('\n'));
});

test('a long text is cut, the structure stays', () => {
  const answers = { 'ns/a': refused('x'.repeat(20_000)), 'ns/b': refused('short') };
  const lines = message([verdict('ns/a'), verdict('ns/b'), verdict('ns/c', 'Drain', 1)], { answers }).split(
    '\n',
  );
  expect(lines[1]).toBe('* Pod ns/b: failed to evict Pod, short');
  expect(lines[2]).toMatch(/^\* Pod ns\/a: failed to evict Pod, x+\.\.\.$/);
  expect(lines[3]).toMatch(/^After above Pods .* will be evicted: ns\/c$/);
  expect(lines.join('\n').length).toBe(10_239);
});

/** As long as Kubernetes lets a namespace and a Pod be named. */
const longName = (i: number) => `${'n'.repeat(63)}/${String(i).padStart(3, '0')}${'p'.repeat(250)}`;

test('is never longer than a condition may be, however long names and texts are', () => {
  const kinds = fc.array(
    fc.constantFrom('terminating', 'refused', 'accepted', 'later', 'wait', 'waitLater'),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(kinds, fc.nat(20_000), (drawn, length) => {
      const answers: Record<string, EvictionAnswer> = {};
      const verdicts = drawn.map((kind, i) => {
        const name = longName(i);
        if (kind === 'refused') answers[name] = refused(String(i).padEnd(length, 'é'));
        if (kind === 'accepted') answers[name] = accepted;
        if (kind === 'terminating') return verdict(name, 'Drain', 0, gone);
        if (kind === 'later') return verdict(name, 'Drain', 1);
        if (kind === 'wait') return verdict(name, 'WaitCompleted', 0);
        return kind === 'waitLater' ? verdict(name, 'WaitCompleted', 2) : verdict(name);
      });
      expect(message(verdicts, { answers }).length).toBeLessThan(10_240);
    }),
  );
});
