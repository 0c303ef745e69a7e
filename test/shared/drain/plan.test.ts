import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDrained, planDrain, puttingOff } from '../../../shared/drain/plan.ts';
import type { Behavior, PodVerdict } from '../../../shared/drain/verdict.ts';
import { type Pod, podName } from '../../../shared/kubernetes/objects.ts';
import { record, recordsOf, verdict } from '../../builders/pods.ts';

const records = new Map();
const gone = { deletionTimestamp: '2026-11-20T12:00:00Z' };

const names = (pods: Pod[]) => pods.map(podName).join(' ');

function summary(verdicts: PodVerdict[], remembered = records) {
  const plan = planDrain(verdicts, { records: remembered });
  return {
    order: plan.order,
    evictNow: names(plan.evictNow),
    evictLater: names(plan.evictLater),
    terminating: names(plan.terminating),
    waitNow: names(plan.waitNow),
    waitLater: names(plan.waitLater),
    skipped: names(plan.skipped.map(({ pod }) => pod)),
    completed: names(plan.completed),
    batches: plan.batches.map(({ order, pods }) => `${order}: ${names(pods)}`),
    isDrained: isDrained(plan),
  };
}

const nothing = {
  order: undefined,
  evictNow: '',
  evictLater: '',
  terminating: '',
  waitNow: '',
  waitLater: '',
  skipped: '',
  completed: '',
  batches: [] as string[],
  isDrained: true,
};
const draining = { ...nothing, isDrained: false };

test.each<[string, PodVerdict[], ReturnType<typeof summary>]>([
  ['an empty Node is drained', [], nothing],
  ['Pods that are skipped do not count', [verdict('ns/a', 'Skip')], { ...nothing, skipped: 'ns/a' }],
  [
    'Pods are sorted by namespace/name in byte order',
    [verdict('a/x'), verdict('a-b/x'), verdict('a/B'), verdict('a/10'), verdict('a/9')],
    { ...draining, order: 0, evictNow: 'a-b/x a/10 a/9 a/B a/x', batches: ['0: a-b/x a/10 a/9 a/B a/x'] },
  ],
  [
    'the lowest order goes first, negative ones before 0',
    [
      verdict('ns/z', 'Drain', 10),
      verdict('ns/d'),
      verdict('ns/n', 'Drain', -5),
      verdict('ns/m', 'Drain', -5),
    ],
    {
      ...draining,
      order: -5,
      evictNow: 'ns/m ns/n',
      evictLater: 'ns/d ns/z',
      batches: ['-5: ns/m ns/n', '0: ns/d', '10: ns/z'],
    },
  ],
  [
    'what is evicted later is sorted by name, not by order',
    [verdict('ns/c'), verdict('ns/b', 'Drain', 1), verdict('ns/a', 'Drain', 2)],
    {
      ...draining,
      order: 0,
      evictNow: 'ns/c',
      evictLater: 'ns/a ns/b',
      batches: ['0: ns/c', '1: ns/b', '2: ns/a'],
    },
  ],
  [
    'a terminating Pod of a lower order holds the batch',
    [verdict('ns/a', 'Drain', 1, gone), verdict('ns/b', 'Drain', 2)],
    { ...draining, order: 1, evictLater: 'ns/b', terminating: 'ns/a', batches: ['1: ns/a', '2: ns/b'] },
  ],
  [
    'a terminating Pod of a higher order holds nothing up',
    [verdict('ns/a', 'Drain', 9, gone), verdict('ns/b', 'Drain', 2)],
    { ...draining, order: 2, evictNow: 'ns/b', terminating: 'ns/a', batches: ['2: ns/b', '9: ns/a'] },
  ],
  [
    'a Pod to wait for is of order 0 and holds positive orders',
    [verdict('ns/a', 'WaitCompleted'), verdict('ns/b', 'Drain', 1)],
    { ...draining, order: 0, evictLater: 'ns/b', waitNow: 'ns/a', batches: ['0: ns/a', '1: ns/b'] },
  ],
  [
    'a Pod to wait for is waited for later while a negative order is there',
    [verdict('ns/a', 'WaitCompleted'), verdict('ns/b', 'Drain', -1)],
    { ...draining, order: -1, evictNow: 'ns/b', waitLater: 'ns/a', batches: ['-1: ns/b', '0: ns/a'] },
  ],
  [
    'a terminating Pod to wait for is still waited for',
    [verdict('ns/a', 'WaitCompleted', 0, gone)],
    { ...draining, order: 0, waitNow: 'ns/a', batches: ['0: ns/a'] },
  ],
  ...['Succeeded', 'Failed'].map((phase): [string, PodVerdict[], ReturnType<typeof summary>] => [
    `a Pod to wait for that has ${phase} is complete and holds nothing`,
    [verdict('ns/a', 'WaitCompleted', 0, { phase }), verdict('ns/b', 'Drain', 1)],
    { ...draining, order: 1, evictNow: 'ns/b', completed: 'ns/a', batches: ['1: ns/b'] },
  ]),
  [
    'a Pod to drain that has Succeeded is evicted',
    [verdict('ns/a', 'Drain', 0, { phase: 'Succeeded' })],
    { ...draining, order: 0, evictNow: 'ns/a', batches: ['0: ns/a'] },
  ],
  [
    'nothing but complete Pods is drained',
    [verdict('ns/a', 'WaitCompleted', 0, { phase: 'Succeeded' })],
    { ...nothing, completed: 'ns/a' },
  ],
  [
    'the greatest order alone goes at once',
    [verdict('ns/a', 'Drain', 2_147_483_647)],
    { ...draining, order: 2_147_483_647, evictNow: 'ns/a', batches: ['2147483647: ns/a'] },
  ],
])('%s', (_, verdicts, expected) => {
  expect(summary(verdicts)).toEqual(expected);
});

test('a Pod whose eviction was accepted, or that was said to be gone, is on its way', () => {
  const remembered = recordsOf(
    record('ns/a', { outcome: 'accepted' }),
    record('ns/b', { outcome: 'gone' }),
    record('ns/c', { outcome: 'refused' }),
  );
  expect(
    summary([verdict('ns/a'), verdict('ns/b'), verdict('ns/c'), verdict('ns/d')], remembered),
  ).toMatchObject({
    evictNow: 'ns/c ns/d',
    terminating: 'ns/a ns/b',
  });
});

test('a Pod that took the name of one whose eviction was accepted is another Pod, and to be evicted', () => {
  const earlier = recordsOf(record('ns/a', { podUid: 'an-earlier-one', outcome: 'accepted' }));
  expect(summary([verdict('ns/a')], earlier)).toMatchObject({ evictNow: 'ns/a', terminating: '' });
});

test('a Pod that is put off is evicted later, and still in its batch', () => {
  const plan = planDrain([verdict('ns/a'), verdict('ns/b'), verdict('ns/c', 'Drain', 1), verdict('ns/d')], {
    records,
  });
  const { evictNow, evictLater, ...others } = puttingOff(
    plan,
    new Map([
      ['ns/d', 1],
      ['ns/a', 2],
      ['ns/c', 3],
    ]),
  );
  expect([names(evictNow), names(evictLater)]).toEqual(['ns/b', 'ns/a ns/c ns/d']);
  expect(others).toMatchObject({ order: 0, batches: [{ pods: plan.batches[0]?.pods }, { order: 1 }] });
});

test('never evicts while a lower order is on the Node, and loses no Pod', () => {
  const aVerdict = fc
    .record({
      name: fc.stringMatching(/^[a-d]{1,2}$/),
      behavior: fc.constantFrom<Behavior>('Drain', 'Skip', 'WaitCompleted'),
      order: fc.integer({ min: -2, max: 2 }),
      parts: fc.constantFrom({}, gone, { phase: 'Succeeded' }),
    })
    .map(({ name, behavior, order, parts }) =>
      verdict(`ns/${name}`, behavior, behavior === 'Drain' ? order : 0, parts),
    );
  fc.assert(
    fc.property(fc.uniqueArray(aVerdict, { selector: ({ pod }) => podName(pod) }), (verdicts) => {
      const plan = planDrain(verdicts, { records });
      const orderOf = (pod: Pod) => verdicts.find((each) => each.pod === pod)?.order ?? Number.NaN;
      const holding = [
        ...plan.evictNow,
        ...plan.evictLater,
        ...plan.terminating,
        ...plan.waitNow,
        ...plan.waitLater,
      ];
      for (const pod of [...plan.evictNow, ...plan.waitNow]) {
        expect(holding.filter((each) => orderOf(each) < orderOf(pod))).toEqual([]);
      }
      expect(holding.length + plan.skipped.length + plan.completed.length).toBe(verdicts.length);
      expect(isDrained(plan)).toBe(holding.length === 0);
      expect(plan.batches.flatMap(({ pods }) => pods).length).toBe(holding.length);
    }),
  );
});
