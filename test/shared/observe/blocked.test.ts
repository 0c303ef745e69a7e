import { expect, test } from 'vitest';
import type { BlockedAction } from '../../../shared/blocked/entry.ts';
import { planDrain } from '../../../shared/drain/plan.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { observeBlocked } from '../../../shared/observe/blocked.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { after, timeAfter } from '../../builders/cluster-api.ts';
import { aDrainPolicy } from '../../builders/drain-policy.ts';
import { record, recordsOf, verdict } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld } from '../../builders/world.ts';

const blocked = [{ cause: 'BudgetNeverAllows', after: '1m', action: 'Delete' }];
const policy = aDrainPolicy('workers', { blocked });

interface Given {
  /** Since when the cause lasts, in seconds. Absent for a Pod that was not refused. */
  since?: number;
  deletedAfter?: number;
  list?: () => Promise<KubeObject[] | undefined>;
}

async function observed({ since, deletedAfter = -600, list = async () => [policy] }: Given) {
  const world = aWorld(undefined, { actions: new Set<BlockedAction>(['Delete']) });
  const subject = aSubject({ machine: { deletionTimestamp: after(deletedAfter) } });
  const snapshot = openSnapshot(world.env, subject);
  let lists = 0;
  snapshot.policies.list = () => {
    lists += 1;
    return list();
  };
  const lasting = { cause: 'BudgetNeverAllows', since: after(since ?? 0) } as const;
  const records = recordsOf(...(since === undefined ? [] : [record('ns/a', { lasting })]));
  const plan = planDrain([verdict('ns/a')], { records });
  const prospects = await observeBlocked(snapshot, subject, { plan, records, answers: new Map() });
  return { lists, told: prospects.map(({ at, outlook: { kind } }) => [new Date(at).toISOString(), kind]) };
}

test.each<[string, Given, string[][]]>([
  ['is due once its cause has lasted', { since: -60 }, [[timeAfter(0), 'due']]],
  ['is due later', { since: -5 }, [[timeAfter(55), 'later']]],
  [
    'counts from the deletion at most, whatever clock wrote its time',
    { since: -3_600, deletedAfter: -10 },
    [[timeAfter(50), 'later']],
  ],
  ['is none where no policy is there', { since: -60, list: async () => undefined }, []],
  [
    'is none while policies cannot be listed',
    { since: -60, list: () => Promise.reject(new Unavailable('no answer')) },
    [],
  ],
])('an action for a Pod that is not let go %s', async (_what, given, told) => {
  const expected = told.map(([at = '', kind]) => [new Date(at).toISOString(), kind]);
  expect((await observed(given)).told).toEqual(expected);
});

test('without a Pod that is refused nothing is listed', async () => {
  expect(await observed({})).toEqual({ lists: 0, told: [] });
});
