import { beforeEach, describe, expect, test } from 'vitest';
import type { EvictionAnswer, WorkloadCluster } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { nodes, podDisruptionBudgets } from '../../../shared/kubernetes/resources.ts';
import type { Effect } from '../../../shared/phase/decision.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import type { ClusterSnapshot } from '../../../shared/read/snapshot.ts';
import { perform } from '../../../shared/reconcile/effects.ts';
import { after } from '../../builders/cluster-api.ts';
import { pod } from '../../builders/pods.ts';
import { aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const subject = aSubject();
const about = { machine: subject.machine.ref, phase: 'drain', seq: 1 };
const a = { namespace: 'ns', name: 'a', uid: 'ns/a' };
const evictA: Effect = { kind: 'evict', evictions: [{ pod: pod('ns/a') }] };
const failed: EvictionAnswer = { kind: 'refused', cause: 'Failed', text: 'no' };

let world: World;
let snapshot: ClusterSnapshot;

beforeEach(() => {
  world = aWorld();
  snapshot = openSnapshot(world.env, aSubject());
});

/** The workload cluster answers every eviction like this. */
function evicting(answer: EvictionAnswer | undefined, effect = evictA) {
  world.workload.evictAll = async (evictions) =>
    new Map(answer === undefined ? [] : evictions.map((each) => [each.pod.metadata.uid ?? '', answer]));
  return performed(effect);
}
const performed = (...effects: Effect[]) =>
  perform(effects, {
    env: world.env,
    subject,
    snapshot,
    workload: async (): Promise<WorkloadCluster> => world.workload,
  });

const putBudget = (spec: object) =>
  world.workload.put('poddisruptionbudgets', { metadata: { namespace: 'ns', name: 'guard' }, spec });
const causes = async () => (await snapshot.podRecords()).get('ns/a')?.refusals;

describe('an eviction', () => {
  test('that was accepted is recorded and told', async () => {
    expect(await evicting({ kind: 'accepted' })).toEqual([{ ...about, kind: 'pod-evicted', pod: a }]);
    expect(await world.env.store.podRecords('uid-1')).toEqual([
      {
        podUid: 'ns/a',
        namespace: 'ns',
        name: 'a',
        attempts: 1,
        refusals: {},
        firstAttempt: after(10),
        lastAttempt: after(10),
        outcome: 'accepted',
      },
    ]);
    expect((await snapshot.podRecords()).get('ns/a')?.outcome).toBe('accepted');
  });

  test('is told only when it has been recorded', async () => {
    let isRecorded = false;
    const { store } = world.env;
    world.env.store = {
      ...store,
      async recordEvictions() {
        for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
        isRecorded = true;
      },
    };
    await evicting({ kind: 'accepted' });
    expect(isRecorded).toBe(true);
  });

  test.each(['gone', 'replaced'] as const)(
    'of a Pod that is %s is recorded and told to nobody',
    async (kind) => {
      expect(await evicting({ kind })).toEqual([]);
      expect(await world.env.store.podRecords('uid-1')).toMatchObject([{ outcome: 'gone' }]);
    },
  );

  test('that was refused is recorded with its reason and when to try again, and told', async () => {
    expect(await evicting(failed)).toStrictEqual([
      { ...about, kind: 'pod-refused', pod: a, cause: 'Failed', text: 'no' },
    ]);
    expect((await snapshot.podRecords()).get('ns/a')?.lastRefusal).toStrictEqual({
      cause: 'Failed',
      text: 'no',
    });
    expect(await world.env.store.podRecords('uid-1')).toMatchObject([
      {
        outcome: 'refused',
        refusals: { Failed: 1 },
        lastRefusal: { cause: 'Failed', text: 'no' },
        notBefore: after(10) + 200,
      },
    ]);
  });

  test.each([
    ['at first', [0], 200],
    ['once more', [0, 200], 400],
    ['again and again', [0, 200, 400], 800],
  ])('that was refused %s is tried again later each time', async (_when, pauses, delay) => {
    for (const pause of pauses) {
      world.time.now += pause;
      await evicting(failed);
    }
    expect((await snapshot.podRecords()).get('ns/a')?.notBefore).toBe(world.time.now + delay);
  });

  test('that was refused is not tried again before the API allows it', async () => {
    await evicting({ ...failed, cause: 'Throttled', retryAfterSeconds: 30 });
    expect((await snapshot.podRecords()).get('ns/a')?.notBefore).toBe(after(40));
  });

  test('that was refused as before is recorded and not told again', async () => {
    await evicting(failed);
    expect(await evicting(failed)).toEqual([]);
    expect(await evicting({ ...failed, text: 'another reason' })).toHaveLength(1);
    expect(await world.env.store.podRecords('uid-1')).toMatchObject([
      { attempts: 3, refusals: { Failed: 3 } },
    ]);
  });

  test('that was refused in the same words, but for another cause, is told', async () => {
    await evicting(failed);
    expect(await evicting({ ...failed, cause: 'Throttled' })).toMatchObject([{ cause: 'Throttled' }]);
  });

  test('that was refused after one that was accepted is told: the Pod is there still', async () => {
    await evicting({ kind: 'accepted' });
    expect(await evicting(failed)).toMatchObject([{ kind: 'pod-refused', cause: 'Failed' }]);
  });

  describe('that a budget refused', () => {
    const text = "Cannot evict pod as it would violate the pod's disruption budget.";
    const byBudget: EvictionAnswer = { kind: 'refused', cause: 'BudgetExhausted', text, budget: 'guard' };

    test('is explained by that budget: what it can never allow is told as such', async () => {
      putBudget({ maxUnavailable: 0 });
      const cause = 'BudgetNeverAllows';
      expect(await evicting(byBudget)).toMatchObject([{ kind: 'pod-refused', cause, budget: 'guard' }]);
      expect(snapshot.answers.get('ns/a')).toEqual({ ...byBudget, cause });
      expect(await causes()).toEqual({ BudgetNeverAllows: 1 });
      expect(await world.env.store.podRecords('uid-1')).toMatchObject([
        { lastRefusal: { cause, budget: 'guard' } },
      ]);
    });

    const longhorn = { apiVersion: 'longhorn.io/v1beta2', kind: 'InstanceManager', name: 'im-a' };
    const keptByLonghorn: Effect = { kind: 'evict', evictions: [{ pod: pod('ns/a', { owner: longhorn }) }] };

    test('and an operator keeps is told with that operator, and logged', async () => {
      putBudget({ maxUnavailable: 0 });
      const logged: unknown[] = [];
      world.env.log = { ...world.env.log, debug: (line, fields) => void logged.push({ line, ...fields }) };
      const said = {
        cause: 'BudgetHeldByOperator',
        explanation: 'the Pod is kept by InstanceManager im-a of longhorn.io',
      };
      expect(await evicting(byBudget, keptByLonghorn)).toMatchObject([{ kind: 'pod-refused', ...said }]);
      expect(logged).toContainEqual(expect.objectContaining({ line: 'Pod eviction was refused', ...said }));
      expect(await causes()).toEqual({ BudgetHeldByOperator: 1 });
      expect(await world.env.store.podRecords('uid-1')).toMatchObject([
        { lastRefusal: { cause: 'BudgetHeldByOperator', text, budget: 'guard' } },
      ]);
    });

    test('and that is closed is tried again after ten seconds: its watch shows when it frees', async () => {
      const soon = { notBefore: after(10) + 10_000 };
      world.env.random = () => 0;
      putBudget({ maxUnavailable: 0 });
      await evicting(byBudget, keptByLonghorn);
      expect(await world.env.store.podRecords('uid-1')).toMatchObject([soon]);
      world = aWorld();
      world.env.random = () => 0;
      snapshot = openSnapshot(world.env, aSubject());
      putBudget({ maxUnavailable: 1 });
      await evicting(byBudget);
      expect(await world.env.store.podRecords('uid-1')).toMatchObject([soon]);
    });

    test('because it was never computed is explained where computing it fails', async () => {
      const condition = {
        type: 'DisruptionAllowed',
        status: 'False',
        reason: 'SyncFailed',
        message: 'no scale',
      };
      const guard = {
        metadata: { namespace: 'ns', name: 'guard', generation: 1 },
        status: { conditions: [condition] },
      };
      world.workload.put('poddisruptionbudgets', guard);
      expect(await evicting({ ...byBudget, cause: 'BudgetNotObserved' })).toMatchObject([
        {
          cause: 'BudgetNeverAllows',
          text,
          explanation: 'it allows nothing until somebody changes what its controller fails on: no scale',
        },
      ]);
    });

    test('is explained at the cost of one request: the next round does not ask for the budget again', async () => {
      putBudget({ maxUnavailable: 0 });
      await evicting(byBudget);
      await snapshot.get('workload', podDisruptionBudgets, { namespace: 'ns', name: 'guard' });
      expect(world.workload.reads).toEqual(['get poddisruptionbudgets/ns/guard']);
    });

    test('is not taken for explained by a mistake of ours', async () => {
      world.workload.on('get poddisruptionbudgets/ns/guard', () => {
        throw new TypeError('undefined is not a function');
      });
      await expect(evicting(byBudget)).rejects.toThrow(TypeError);
    });

    test.each<[string, () => void]>([
      ['has gone', () => undefined],
      [
        'cannot be read',
        () =>
          world.workload.on('get poddisruptionbudgets/ns/guard', () => {
            throw new Unavailable('no answer');
          }),
      ],
    ])('stands as it was answered when that budget %s', async (_what, change) => {
      change();
      expect(await evicting(byBudget)).toMatchObject([{ cause: 'BudgetExhausted' }]);
      expect(await causes()).toEqual({ BudgetExhausted: 1 });
    });
  });

  test.each<[string, EvictionAnswer]>([
    ['was accepted', { kind: 'accepted' }],
    ['was refused for another cause', { ...failed, budget: 'guard' }],
    ['was refused by a budget that is not named', { ...failed, cause: 'BudgetExhausted' }],
  ])('that %s is not explained by any budget, and none is asked for', async (_what, answer) => {
    putBudget({ maxUnavailable: 0 });
    await evicting(answer);
    expect(snapshot.answers.get('ns/a')).toEqual(answer);
    expect(world.workload.reads).toEqual([]);
  });

  test('that there was no time for is no news', async () => {
    const answer = { kind: 'refused', cause: 'NotAttempted', text: 'no time' } as const;
    expect(await evicting(answer)).toEqual([]);
  });

  test('that was not answered is not recorded', async () => {
    expect(await evicting(undefined)).toEqual([]);
    expect(await world.env.store.podRecords('uid-1')).toEqual([]);
  });
});

describe('a cordon', () => {
  const cordon: Effect = { kind: 'cordon', node: 'node-1', uid: 'node-uid-1' };

  test('is seen in its answer', async () => {
    expect(await performed(cordon)).toEqual([]);
    expect(await snapshot.get('workload', nodes, { name: 'node-1' })).toMatchObject({
      spec: { unschedulable: true },
    });
    expect(world.workload.reads).toEqual([]);
  });

  test('of another Node of that name is not made', async () => {
    await expect(performed({ ...cordon, uid: 'node-uid-0' })).rejects.toThrow(Unavailable);
  });

  test('of a Node that has gone is looked at again', async () => {
    world.workload.drop('nodes/node-1');
    expect(await performed(cordon)).toEqual([]);
    expect(await snapshot.get('workload', nodes, { name: 'node-1' })).toBeUndefined();
  });
});

test('a delete is done in the cluster it names, and its outcome is seen', async () => {
  const key = { name: 'node-1' };
  await performed({
    kind: 'delete',
    side: 'workload',
    resource: nodes,
    key,
    uid: 'node-uid-1',
    what: 'Node',
  });
  expect(world.log).toEqual(['delete nodes/node-1']);
  expect(world.said).toEqual(['Deleting Node']);
  expect(snapshot.deletion('node-uid-1')).toEqual({ kind: 'gone' });
  const other = { group: 'infra.example', version: 'v1', plural: 'servers' };
  const server = { namespace: 'default', name: 'm-1' };
  await performed({
    kind: 'delete',
    side: 'management',
    resource: other,
    key: server,
    uid: 'u',
    what: 'Server',
  });
  expect(snapshot.deletion('u')).toEqual({ kind: 'replaced' });
});

test('effects are done side by side', async () => {
  const key = { name: 'node-1' };
  const cordon: Effect = { kind: 'cordon', node: 'node-1', uid: 'node-uid-1' };
  const remove: Effect = { kind: 'delete', side: 'workload', resource: nodes, key, uid: 'x', what: 'Node' };
  await performed(cordon, remove);
  expect(world.log.toSorted()).toEqual(['delete nodes/node-1', 'patch nodes/node-1']);
});
