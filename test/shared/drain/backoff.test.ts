import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttempt, podsToAttempt } from '../../../shared/drain/backoff.ts';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { RefusalCause } from '../../../shared/kubernetes/client.ts';
import { type Pod, type PodDisruptionBudget, podName } from '../../../shared/kubernetes/objects.ts';
import { budget, pod, record, recordsOf } from '../../builders/pods.ts';

const now = 1_000_000;
const later = { notBefore: now + 1 };
const over = { notBefore: now };

const refusedBy = (
  name: string | undefined,
  parts: Partial<PodRecord>,
  cause: RefusalCause = 'BudgetExhausted',
) =>
  ['ns/a', 'ns/b', 'ns/c'].map((each) =>
    record(each, {
      lastRefusal: { cause, text: 'no', ...(name !== undefined && { budget: name }) },
      ...parts,
    }),
  );

const free = (count: number) =>
  budget('web', { status: { disruptionsAllowed: count, observedGeneration: 1 } });
const closed = free(0);
const stale = budget('web', { generation: 2, status: { disruptionsAllowed: 2, observedGeneration: 1 } });

function attempted(records: PodRecord[], budgets: PodDisruptionBudget[], pods?: Pod[]): string[] {
  const keyed = new Map(budgets.map((each) => [`ns/${each.metadata.name}`, each]));
  const evictNow = pods ?? [pod('ns/a'), pod('ns/b'), pod('ns/c')];
  return podsToAttempt(evictNow, { records: recordsOf(...records), budgets: keyed, now }).map(podName);
}

test.each<[string, PodRecord[], PodDisruptionBudget[], string[]]>([
  ['all that were never tried', [], [], ['ns/a', 'ns/b', 'ns/c']],
  ['none whose eviction was accepted', [record('ns/a', { outcome: 'accepted' })], [], ['ns/b', 'ns/c']],
  ['none that was said to be gone', [record('ns/b', { outcome: 'gone' })], [], ['ns/a', 'ns/c']],
  ['none whose back-off is not over, without a known budget', refusedBy(undefined, later), [], []],
  [
    'all whose back-off is over, without a known budget',
    refusedBy(undefined, over),
    [],
    ['ns/a', 'ns/b', 'ns/c'],
  ],
  [
    'all whose back-off is that of a clock which was set back since',
    refusedBy(undefined, { notBefore: now + 3_600_100, lastAttempt: now + 3_600_000 }),
    [],
    ['ns/a', 'ns/b', 'ns/c'],
  ],
  [
    'none whose back-off is that of a clock which is a little ahead',
    refusedBy(undefined, { notBefore: now + 2_100, lastAttempt: now + 2_000 }),
    [],
    [],
  ],
  [
    'none whose back-off is that of a clock which is as far ahead as any back-off is long',
    refusedBy(undefined, { notBefore: now + 10_100, lastAttempt: now + 10_000 }),
    [],
    [],
  ],
  ['by back-off, when nobody knows what refused', [record('ns/a', later)], [], ['ns/b', 'ns/c']],
  ['all without a back-off', refusedBy(undefined, {}), [], ['ns/a', 'ns/b', 'ns/c']],
  ['by back-off, when the budget was not read', refusedBy('web', over), [], ['ns/a', 'ns/b', 'ns/c']],
  ['by back-off, when another budget was read', refusedBy('web', later), [budget('other')], []],
  ['of a budget that freed one, the first', refusedBy('web', later), [free(1)], ['ns/a']],
  ['of a budget that freed two, the first two', refusedBy('web', later), [free(2)], ['ns/a', 'ns/b']],
  ['no more than it freed, though back-offs are over', refusedBy('web', over), [free(1)], ['ns/a']],
  ['none of a closed budget before the back-off is over', refusedBy('web', later), [closed], []],
  ['one probe of a closed budget, once the back-off is over', refusedBy('web', over), [closed], ['ns/a']],
  ['none of a budget that is not observed', refusedBy('web', later), [stale], []],
  ['one probe of a budget that is not observed', refusedBy('web', over), [stale], ['ns/a']],
  [
    'two budgets for one Pod: by back-off only',
    refusedBy(undefined, later, 'MultipleBudgets'),
    [free(3)],
    [],
  ],
  [
    'what we had no time for is tried at once',
    refusedBy(undefined, later, 'NotAttempted'),
    [],
    ['ns/a', 'ns/b', 'ns/c'],
  ],
])('attempts %s', (_, records, budgets, expected) => {
  expect(attempted(records, budgets)).toEqual(expected);
});

test('probes the first Pod whose back-off is over, not the first of all', () => {
  const [a, b, c] = refusedBy('web', over);
  expect(attempted([{ ...a!, notBefore: now + 5 }, b!, c!], [closed])).toEqual(['ns/b']);
});

test('attempts all of a budget that is gone since, whatever the back-off', () => {
  const budgets = new Map([['ns/web', undefined]]);
  const inputs = { records: recordsOf(...refusedBy('web', later)), budgets, now };
  const pods = [pod('ns/a'), pod('ns/b'), pod('ns/c')];
  expect(podsToAttempt(pods, inputs).map(podName)).toEqual(['ns/a', 'ns/b', 'ns/c']);
});

test('does not count Pods against a budget that the API would not ask for them', () => {
  const pods = [pod('ns/a', { phase: 'Failed' }), pod('ns/b', { ready: false }), pod('ns/c')];
  const healthy = budget('web', {
    status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, observedGeneration: 1 },
  });
  expect(attempted(refusedBy('web', later), [healthy], pods)).toEqual(['ns/a', 'ns/b']);
});

test('does not ask twice in one look', () => {
  const answers = new Map([['ns/a', { kind: 'accepted' as const }]]);
  const inputs = { records: new Map(), budgets: new Map(), now, answers };
  expect(podsToAttempt([pod('ns/a'), pod('ns/b')], inputs).map(podName)).toEqual(['ns/b']);
});

function delaysOf(count: number, random: () => number): number[] {
  const delays: number[] = [];
  let known: PodRecord | undefined;
  let at = now;
  for (let i = 0; i < count; i += 1) {
    const notBefore = nextAttempt({ known, retryAfterSeconds: undefined, now: at, random });
    delays.push(notBefore - at);
    known = record('ns/a', { lastAttempt: at, notBefore });
    at = notBefore;
  }
  return delays;
}

test('waits twice as long each time, up to 10 s', () => {
  expect(delaysOf(8, () => 0)).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

test('jitter takes off less than half', () => {
  expect(delaysOf(8, () => 0.999)).toEqual([101, 201, 401, 801, 1602, 3204, 5005, 5005]);
});

test('whatever the dice say, the bounds double', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 9, maxLength: 9 }),
      (dice) => {
        const rolls = dice[Symbol.iterator]();
        delaysOf(9, () => rolls.next().value ?? 0).forEach((delay, i) => {
          const ceiling = Math.min(10_000, 200 * 2 ** i);
          expect(delay).toBeGreaterThan(ceiling / 2);
          expect(delay).toBeLessThanOrEqual(ceiling);
        });
      },
    ),
  );
});

const refusal = (known: PodRecord | undefined, retryAfterSeconds?: number) =>
  nextAttempt({ known, retryAfterSeconds, now, random: () => 0 }) - now;

test('a longer Retry-After is obeyed, a shorter one changes nothing', () => {
  expect(refusal(undefined, 10)).toBe(10_000);
  expect(refusal(record('ns/a', { lastAttempt: now - 4000, notBefore: now - 800 }), 1)).toBe(6400);
});

test('starts anew when nobody knows how long the last back-off was', () => {
  expect(refusal(record('ns/a'))).toBe(200);
});

test('waits no longer after a Retry-After that was longer than any back-off', () => {
  expect(refusal(record('ns/a', { lastAttempt: now - 90_000, notBefore: now - 1 }))).toBe(10_000);
});

test('starts anew after an attempt that was made early, because the budget had freed', () => {
  expect(refusal(record('ns/a', { lastAttempt: now - 4000, notBefore: now + 6000 }))).toBe(200);
});
