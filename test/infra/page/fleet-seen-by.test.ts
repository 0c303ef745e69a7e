import { describe, expect, test } from 'vitest';
import { fleetSeenBy } from '../../../infra/page/cluster/fleet-seen-by.ts';
import { machinesIn } from '../../../infra/page/cluster/machines-seen-by.ts';
import type { May } from '../../../infra/page/cluster/rights.ts';
import { type JudgedFleet, planView } from '../../../infra/page/look/fleet.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { JudgedMachine } from '../../../shared/explain/fleet/fleet-plan.ts';
import type { Holder } from '../../../shared/explain/fleet/holder.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';

const here = { kind: 'here' } as const;
const there = { kind: 'cluster', namespace: 'blue', clusterName: 'prod' } as const;

const budget: Holder = {
  key: 'budget shop/cart',
  kind: 'budget',
  verdict: 'held',
  what: 'PodDisruptionBudget shop/cart never lets a Pod go',
  object: {
    side: 'workload',
    resource: 'poddisruptionbudgets.policy',
    kind: 'PodDisruptionBudget',
    namespace: 'shop',
    name: 'cart',
  },
  owner: 'StatefulSet shop/cart',
  why: 'it allows none',
  command: 'kubectl describe poddisruptionbudgets.policy cart -n shop',
};

const describing = (name: string): Holder => ({
  key: 'hook',
  kind: 'hook',
  verdict: 'held',
  what: 'pre-drain hook approval',
  why: 'its owner has to take it off',
  command: `kubectl describe machines ${name}`,
});

const judged = (
  namespace: string,
  name: string,
  { holders = [budget], nodesIn = here }: { holders?: Holder[]; nodesIn?: WorkloadRef } = {},
): JudgedMachine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  namespace,
  name,
  uid: `uid-${name}`,
  nodesIn,
  verdict: holders.length === 0 ? 'goes' : 'held',
  holders,
});

const aFleet = (...machines: JudgedMachine[]): JudgedFleet => ({
  madeAt: 1_000,
  machines,
  unread: ['not read: pods in the workload cluster green/prod: 503'],
});

const fleet = aFleet(judged('blue', 'b1'), judged('blue', 'b2', { holders: [] }), judged('green', 'g1'));

const api = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
};

const seenBy = async (may: May, seen: JudgedFleet = fleet) => {
  const about = { clock: { now: () => 2_000 }, subject: 'this cluster', notes: [] };
  return planView(await fleetSeenBy(seen, machinesIn([api]), may), about);
};

/** Who may list Machines in these namespaces. */
const machinesOf =
  (...namespaces: string[]): May =>
  async ({ verb, group, resource, namespace = '' }) =>
    verb === 'list' &&
    group === 'cluster.x-k8s.io' &&
    resource === 'machines' &&
    namespaces.includes(namespace);

/** The same, and all that is on the Nodes of this cluster. */
const alsoNodes =
  (may: May): May =>
  async (wanted) =>
    (await may(wanted)) || !['machines', 'secrets'].includes(wanted.resource);

describe('a plan of many in a cluster', () => {
  test('is whole for who may see all of it', async () => {
    const { totals, groups, machines, unread } = await seenBy(async () => true);
    expect(totals).toEqual({ machines: 3, goes: 1, held: 2, waits: 0, unknown: 0 });
    expect(groups).toMatchObject([
      {
        what: budget.what,
        owner: budget.owner,
        machines: [
          { api: 'capi', namespace: 'blue', name: 'b1' },
          { api: 'capi', namespace: 'green', name: 'g1' },
        ],
      },
    ]);
    expect(machines.map(({ name }) => name)).toEqual(['b1', 'g1', 'b2']);
    expect(unread).toEqual(fleet.unread);
  });

  test('counts and groups the Machines that its reader may see, and tells of no other', async () => {
    const view = await seenBy(alsoNodes(machinesOf('blue')));
    expect(view.totals).toMatchObject({ machines: 2, goes: 1, held: 1 });
    expect(view.groups).toMatchObject([{ what: budget.what, machines: [{ name: 'b1' }] }]);
    expect(view.unread).toEqual(['not shown: what could not be read, which may name what you may not see']);
    expect(JSON.stringify(view)).not.toMatch(/g1|green/);
  });

  test('names nothing that is on a Node to who may not look there, and says which right is missing', async () => {
    const view = await seenBy(machinesOf('blue', 'green'));
    expect(view.totals).toEqual({ machines: 3, goes: 1, held: 2, waits: 0, unknown: 0 });
    expect(view.machines).toMatchObject([
      { name: 'b1', verdict: 'held', heldBy: [] },
      { name: 'g1', verdict: 'held', heldBy: [] },
      { name: 'b2', verdict: 'goes', heldBy: [] },
    ]);
    expect(view.groups).toEqual([]);
    expect(view.unread).toEqual([
      'not shown: what could not be read, which may name what you may not see',
      'not shown: what holds 2 Machines: you may not list pods, poddisruptionbudgets, nodes, persistentvolumes and volumeattachments in all namespaces',
    ]);
    expect(JSON.stringify(view)).not.toMatch(/shop|cart/);
  });

  test.each(['pods', 'poddisruptionbudgets', 'nodes', 'persistentvolumes', 'volumeattachments'])(
    'names nothing that is on a Node to who may not list %s everywhere',
    async (kind) => {
      const may: May = async ({ resource, namespace }) => resource !== kind || namespace !== undefined;
      expect(JSON.stringify(await seenBy(may))).not.toMatch(/shop|cart/);
    },
  );

  test('names what is in a cluster of its own to who may get the way there', async () => {
    const both = aFleet(judged('blue', 'b1', { nodesIn: there }), judged('blue', 'b2'));
    const byAll = alsoNodes(machinesOf('blue'));
    const view = await seenBy(byAll, both);
    expect(view.groups).toMatchObject([{ machines: [{ name: 'b2' }] }]);
    expect(view.unread.at(-1)).toBe(
      'not shown: what holds 1 Machine of cluster blue/prod: you may not get the Secret prod-kubeconfig in namespace blue',
    );
    const mayGo: May = async (wanted) =>
      (await byAll(wanted)) || (wanted.verb === 'get' && wanted.name === 'prod-kubeconfig');
    expect((await seenBy(mayGo, both)).groups).toMatchObject([
      { machines: [{ name: 'b1' }, { name: 'b2' }] },
    ]);
  });

  test('names what a Machine that makes no sense says to who may look at Nodes here alone', async () => {
    const { nodesIn: _, ...machine } = judged('blue', 'b1');
    const broken = aFleet(machine);
    expect((await seenBy(machinesOf('blue'), broken)).groups).toEqual([]);
    expect((await seenBy(alsoNodes(machinesOf('blue')), broken)).groups).toHaveLength(1);
  });

  test('shows a command of a group that names a Machine only to who may see that one', async () => {
    const hooked = aFleet(
      judged('green', 'a1', { holders: [describing('a1')] }),
      judged('blue', 'b1', { holders: [describing('b1')] }),
    );
    const { groups } = await seenBy(alsoNodes(machinesOf('blue')), hooked);
    expect(groups).toMatchObject([{ command: 'kubectl describe machines b1' }]);
  });

  test('is none for who may see no Machine, and tells nothing', async () => {
    expect(await seenBy(async () => false)).toEqual({
      kind: 'plan',
      now: 2_000,
      subject: 'this cluster',
      madeAt: 1_000,
      totals: { machines: 0, goes: 0, held: 0, waits: 0, unknown: 0 },
      groups: [],
      machines: [],
      notes: [],
      unread: ['not shown: what could not be read, which may name what you may not see'],
    });
  });
});
