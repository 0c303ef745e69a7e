import { describe, expect, it } from 'vitest';
import type { TopMaker } from '../../../../shared/assess/makers.ts';
import { exitCodeFor, fleetPlanOf, judge, judgeUnread } from '../../../../shared/explain/fleet/fleet-plan.ts';
import type { Seen } from '../../../../shared/explain/seen.ts';
import type { DeletionPlan, PlannedRefusal } from '../../../../shared/plan/deletion-plan.ts';
import { aMachine } from '../../../builders/dump.ts';
import { pod } from '../../../builders/pods.ts';
import { seeing } from '../seeing.ts';

const web = pod('shop/web-1');
const refusal = (cause: PlannedRefusal['cause'], more: Partial<PlannedRefusal> = {}): PlannedRefusal => ({
  pod: 'shop/web-1',
  cause,
  message: 'Cannot evict pod',
  budget: 'shop/web',
  ...more,
});

const budgets = [
  {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { maxUnavailable: 2 },
    status: { desiredHealthy: 16, currentHealthy: 16, disruptionsAllowed: 0, expectedPods: 18 },
  },
];

const deployment: TopMaker = { kind: 'Deployment', name: 'shop/web' };

interface Given {
  plan?: Partial<DeletionPlan>;
  seen?: Partial<Seen>;
  makers?: ReadonlyMap<string, TopMaker>;
}

const judged = (name: string, { plan = {}, seen = {}, makers }: Given = {}) =>
  judge({
    seen: seeing(aMachine(name), plan, { pods: [web], budgets, ...seen }),
    workload: { kind: 'cluster', namespace: 'fleet', clusterName: 'blue' },
    makers: makers ?? new Map([['shop/web-1', deployment]]),
  });

const phase = (does: 'wait' | 'unknown', why: string): Partial<DeletionPlan> => ({
  phases: [{ phase: 'drain', does, why }],
});

const waitsFor = (why: string): Given => ({
  plan: { phases: [{ phase: 'pre-drain', does: 'wait', why, reason: 'WaitingForDrainPolicy' }] },
});

describe('a Machine that is judged alone', () => {
  it.each<[string, Given, string, string[]]>([
    ['goes where nothing holds it', {}, 'goes', []],
    [
      'waits for a budget without room',
      { plan: { refusals: [refusal('BudgetExhausted')] } },
      'waits',
      ['PodDisruptionBudget shop/web has no room now'],
    ],
    [
      'is held by a budget that never allows',
      { plan: { refusals: [refusal('BudgetNeverAllows')] } },
      'held',
      ['PodDisruptionBudget shop/web never lets a Pod go'],
    ],
    [
      'is held by one of a later batch',
      { plan: { refusalsAhead: [{ ...refusal('BudgetNeverAllows'), batch: 2 }] } },
      'held',
      ['PodDisruptionBudget shop/web never lets a Pod go'],
    ],
    [
      'is unknown where no controller has computed a budget',
      { plan: { refusals: [refusal('Unknown')] } },
      'unknown',
      ['PodDisruptionBudget shop/web was not computed'],
    ],
    [
      'is held where several budgets select a Pod, by what makes it',
      { plan: { refusals: [{ pod: 'shop/web-1', cause: 'MultipleBudgets', message: 'two' }] } },
      'held',
      ['several budgets select the Pods of Deployment shop/web'],
    ],
    [
      'waits for a DrainPolicy, which is the same holder for all that wait for it',
      waitsFor('Waiting for DrainPolicy workers: at most 2 at once; begun: worker-1, worker-2'),
      'waits',
      ['DrainPolicy fleet/workers lets it begin later'],
    ],
    [
      'is held by a DrainPolicy that never opens',
      waitsFor('Waiting for DrainPolicy workers: none of its windows opens within 366 days'),
      'held',
      ['DrainPolicy fleet/workers has to be corrected'],
    ],
    [
      'is held by Pods that come back, by what makes them',
      { plan: { returning: [{ pod: 'shop/web-1', toleration: { operator: 'Exists' } }] } },
      'held',
      ['Pods of Deployment shop/web come back to a cordoned Node'],
    ],
    [
      'waits for Pods that must complete',
      {
        plan: {
          pods: [
            {
              namespace: 'shop',
              name: 'web-1',
              behavior: 'WaitCompleted',
              order: 0,
              decidedBy: 'a rule',
              warnings: [],
            },
          ],
        },
      },
      'waits',
      ['Pods of Deployment shop/web must complete'],
    ],
    [
      'is held by a hook',
      { plan: { hooks: [{ point: 'pre-drain', name: 'pre-drain.delete.hook/x', owner: 'edge' }] } },
      'held',
      ['pre-drain hook x of edge'],
    ],
    [
      'is held by a DeletionHook that waits for its function for ever',
      { plan: { functions: [{ place: 'PreDrain', hook: 'osd' }] } },
      'held',
      ['DeletionHook osd asks its function at PreDrain'],
    ],
    [
      'waits for a DeletionHook with a time after which it goes on',
      { plan: { functions: [{ place: 'PreDrain', hook: 'osd', proceedsAfterSeconds: 60 }] } },
      'waits',
      ['DeletionHook osd asks its function at PreDrain'],
    ],
    [
      'goes past a DeletionHook that asks nothing for it',
      { plan: { functions: [{ place: 'PreDrain', hook: 'osd', whyNot: 'only watched' }] } },
      'goes',
      [],
    ],
    [
      'is held by a pause',
      { plan: { held: [{ reason: 'Paused', message: 'Cluster fleet/blue is paused' }] } },
      'held',
      ['it is paused: Cluster fleet/blue is paused'],
    ],
    [
      'is unknown where the drain was not read',
      { plan: phase('unknown', 'not read: pods') },
      'unknown',
      ['what holds drain is unknown: not read: pods'],
    ],
    [
      'is unknown where something was not read that would matter',
      { plan: { unsure: ['what budgets would refuse is unknown'] } },
      'unknown',
      ['what budgets would refuse is unknown'],
    ],
    [
      'is held by what is known, whatever else was not read',
      { plan: { refusals: [refusal('BudgetNeverAllows')], unsure: ['x is unknown'] } },
      'held',
      ['PodDisruptionBudget shop/web never lets a Pod go', 'x is unknown'],
    ],
    [
      'goes where its volumes come off with its Pods',
      {
        plan: {
          phases: [{ phase: 'volume-detach', does: 'wait', why: 'volumes are attached' }],
          volumes: [{ kind: 'PersistentVolumeClaim', name: 'shop/data' }],
        },
      },
      'goes',
      [],
    ],
  ])('%s', (_sentence, given, verdict, held) => {
    const one = judged('a', given);
    expect([one.verdict, one.holders.map(({ what }) => what)]).toEqual([verdict, held]);
  });

  it('is unknown where it could not be looked at', () => {
    const one = judgeUnread({ apiVersion: 'v1', namespace: 'fleet', name: 'a', uid: 'u' }, '503');
    expect([one.verdict, one.holders.map(({ what }) => what)]).toEqual([
      'unknown',
      ['it could not be looked at: 503'],
    ]);
  });
});

describe('the owner of what holds it', () => {
  const plan = { refusals: [refusal('BudgetNeverAllows')] };

  it.each<[string, ReadonlyMap<string, TopMaker>, string | undefined]>([
    ['is what people change', new Map([['shop/web-1', deployment]]), 'Deployment shop/web'],
    [
      'is unknown where what makes the Pods was not read',
      new Map([['shop/web-1', { kind: 'ReplicaSet', name: 'shop/web', unread: 'ReplicaSet shop/web' }]]),
      undefined,
    ],
  ])('%s', (_sentence, makers, owner) => {
    expect(judged('a', { plan, makers }).holders.map((holder) => holder.owner)).toEqual([owner]);
  });
});

const exhausted = { plan: { refusals: [refusal('BudgetExhausted')] } };
const never = { plan: { refusals: [refusal('BudgetNeverAllows', { budget: 'shop/cart' })] } };
const both = { plan: { refusals: [...exhausted.plan.refusals, ...never.plan.refusals] } };
const unread = { plan: { unsure: ['x is unknown'] } };

describe('a plan of many', () => {
  it('groups Machines by what holds them, the worst and the largest group first', () => {
    const { totals, groups, machines } = fleetPlanOf([
      judged('a10', exhausted),
      judged('a9', both),
      judged('b'),
      judged('c', never),
      judged('d', unread),
    ]);
    expect(totals).toEqual({ machines: 5, goes: 1, held: 2, waits: 1, unknown: 1 });
    expect(
      groups.map(({ verdict, what, machines: those, atOnce }) => [verdict, what, those, atOnce]),
    ).toEqual([
      ['held', 'PodDisruptionBudget shop/cart never lets a Pod go', ['fleet/a9', 'fleet/c'], undefined],
      ['unknown', 'x is unknown', ['fleet/d'], undefined],
      ['waits', 'PodDisruptionBudget shop/web has no room now', ['fleet/a9', 'fleet/a10'], 2],
    ]);
    expect(machines.map(({ name, verdict }) => `${verdict} ${name}`)).toEqual([
      'held a9',
      'held c',
      'unknown d',
      'waits a10',
      'goes b',
    ]);
  });

  it('has of each Machine what scripts read, and nothing of how it was judged', () => {
    const [machine = {}] = fleetPlanOf([judged('a', unread)]).machines;
    expect(Object.keys(machine).toSorted()).toEqual([
      'apiVersion',
      'cluster',
      'heldBy',
      'isUnread',
      'name',
      'namespace',
      'node',
      'uid',
      'verdict',
    ]);
  });

  it('has the object, the cluster and the command of a group', () => {
    const [group] = fleetPlanOf([judged('a', exhausted)]).groups;
    expect(group).toMatchObject({
      cluster: 'fleet/blue',
      object: { kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web' },
      owner: 'Deployment shop/web',
      numbers: { needs: 16, has: 16, allows: 0, expects: 18 },
      command: 'kubectl --context blue describe poddisruptionbudgets.policy web -n shop',
    });
  });

  it.each<[string, Given[], number]>([
    ['0 where all go', [{}, {}], 0],
    ['4 where one waits', [{}, exhausted], 4],
    ['4 where one is held', [{}, never], 4],
    ['5 where something was not read', [never, unread], 5],
    ['5 where something was not read of one that is held', [{ plan: { ...never.plan, ...unread.plan } }], 5],
    ['0 where there is none', [], 0],
  ])('ends with %s', (_what, given, code) => {
    expect(exitCodeFor(fleetPlanOf(given.map((each, index) => judged(`m-${index}`, each))))).toBe(code);
  });
});
