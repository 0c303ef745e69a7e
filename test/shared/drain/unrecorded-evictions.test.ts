import { expect, test } from 'vitest';
import { type PodRecord, unrecordedEvictions } from '../../../shared/drain/pod-record.ts';
import type { Condition } from '../../../shared/kubernetes/objects.ts';
import { pod, record } from '../../builders/pods.ts';

const since = Date.parse('2026-01-01T10:00:30.700Z');
const mark: Condition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  lastTransitionTime: '2026-01-01T10:00:40Z',
};

/** A Pod on its way with this condition, and what is remembered of it. */
function found(condition: Partial<Condition>, records: PodRecord[] = [], deletionTimestamp = 'x'): unknown {
  const one = pod('shop/web-1', deletionTimestamp === '' ? {} : { deletionTimestamp });
  one.status = { conditions: [{ ...mark, ...condition }] };
  const known = new Map(records.map((each) => [each.podUid, each]));
  return unrecordedEvictions([one], { records: known, since }).map(({ at }) => new Date(at).toISOString());
}

const at = '2026-01-01T10:00:40.000Z';
const later = Date.parse('2026-01-01T10:00:41Z');

test.each<[what: string, told: unknown, expected: string[]]>([
  ['a Pod that the API server has marked is an eviction that nothing tells of', found({}), [at]],
  [
    'the mark has whole seconds: one of the second in which the drain began counts',
    found({ lastTransitionTime: '2026-01-01T10:00:30Z' }),
    ['2026-01-01T10:00:30.000Z'],
  ],
  [
    'a Pod that was evicted before the drain began is none of ours',
    found({ lastTransitionTime: '2026-01-01T10:00:29Z' }),
    [],
  ],
  ['a Pod that does not go is none', found({}, [], ''), []],
  ['another reason of its end is none', found({ reason: 'PreemptionByScheduler' }), []],
  ['a mark that was taken back is none', found({ status: 'False' }), []],
  ['another condition is none', found({ type: 'Ready' }), []],
  ['a mark without a time is none', found({ lastTransitionTime: '' }), []],
  [
    'a record that it was accepted tells of it',
    found({}, [record('shop/web-1', { outcome: 'accepted' })]),
    [],
  ],
  ['a record that it was gone tells of it', found({}, [record('shop/web-1', { outcome: 'gone' })]), []],
  [
    'a refusal before it says nothing of it, and it is no earlier than that',
    found({}, [record('shop/web-1', { outcome: 'refused', lastAttempt: later })]),
    ['2026-01-01T10:00:41.000Z'],
  ],
])('%s', (_what, told, expected) => {
  expect(told).toEqual(expected);
});
