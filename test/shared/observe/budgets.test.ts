import { describe, expect, test } from 'vitest';
import type { PodRecord } from '../../../shared/drain/pod-record.ts';
import type { EvictionAnswer } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { observeBudgets } from '../../../shared/observe/drain.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { budget, pod, record, recordsOf } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const refusing = (name?: string): EvictionAnswer => ({
  kind: 'refused',
  cause: name === undefined ? 'Throttled' : 'BudgetExhausted',
  text: 'no',
  ...(name !== undefined && { budget: name }),
});
const refusedBy = (name: string): Partial<PodRecord> => ({
  lastRefusal: { cause: 'BudgetExhausted', text: 'no', budget: name },
});

/** The budgets guard and other as they are read. Only guard exists. */
async function budgetsRead(remembered: Partial<PodRecord> | undefined, now: EvictionAnswer | undefined) {
  const { env, workload } = aWorld();
  workload.put('poddisruptionbudgets', budget('guard'));
  const snapshot = openSnapshot(env, aSubject());
  if (now !== undefined) snapshot.recordAnswers(new Map([['ns/a', now]]));
  const records = recordsOf(...(remembered === undefined ? [] : [record('ns/a', remembered)]));
  const seen = await observeBudgets(snapshot, [pod('ns/a')], records);
  return { budgets: [...seen].map(([key, found]) => [key, found?.metadata.name]), reads: workload.reads };
}

describe('budgets', () => {
  const guard = { budgets: [['ns/guard', 'guard']], reads: ['get poddisruptionbudgets/ns/guard'] };
  const other = { budgets: [['ns/other', undefined]], reads: ['get poddisruptionbudgets/ns/other'] };
  const none = { budgets: [], reads: [] };

  test.each<[string, Partial<PodRecord> | undefined, EvictionAnswer | undefined, object]>([
    ['the one that has just refused', undefined, refusing('guard'), guard],
    ['the one that refused before', refusedBy('guard'), undefined, guard],
    ['the one that refused last', refusedBy('guard'), refusing('other'), other],
    ['one that is gone since, as gone', refusedBy('other'), undefined, other],
    ['none when no budget has just refused, though one did before', refusedBy('guard'), refusing(), none],
    ['none when nothing has refused', undefined, undefined, none],
    ['none when an eviction was accepted', { outcome: 'accepted' }, undefined, none],
    ['none when nobody knows what refused', {}, undefined, none],
    ['none when something else refused', { lastRefusal: { cause: 'Failed', text: 'x' } }, undefined, none],
  ])('are read: %s', async (_which, remembered, now, expected) => {
    expect(await budgetsRead(remembered, now)).toEqual(expected);
  });

  test('that cannot be read are not gone', async () => {
    const { env, workload } = aWorld();
    workload.on('get poddisruptionbudgets/ns/guard', () => {
      throw new Unavailable('403 Forbidden');
    });
    const records = recordsOf(record('ns/a', refusedBy('guard')));
    await expect(observeBudgets(openSnapshot(env, aSubject()), [pod('ns/a')], records)).rejects.toThrow(
      '403',
    );
  });

  test('that have refused several Pods are read once', async () => {
    const { env, workload } = aWorld();
    const pods = [pod('ns/a'), pod('ns/b'), pod('other/c')];
    const records = recordsOf(
      ...pods.map(({ metadata }) => record(`${metadata.namespace}/${metadata.name}`, refusedBy('guard'))),
    );
    await observeBudgets(openSnapshot(env, aSubject()), pods, records);
    expect(workload.reads).toEqual([
      'get poddisruptionbudgets/ns/guard',
      'get poddisruptionbudgets/other/guard',
    ]);
  });
});
