import { describe, expect, it } from 'vitest';
import { main } from '../../../infra/cli/main.ts';
import type { DeletionPlan } from '../../../shared/plan/deletion-plan.ts';
import { aDump, aMachine, aNode, anAwsMachine, aPod } from '../../builders/dump.ts';
import { anOutside, parsed } from './outside.ts';

interface Owner {
  apiVersion: string;
  kind: string;
  name: string;
}
const instanceManager = { apiVersion: 'longhorn.io/v1beta2', kind: 'InstanceManager', name: 'im-a' };
const cephCluster = { apiVersion: 'ceph.rook.io/v1', kind: 'CephCluster', name: 'rook-ceph' };
const postgres = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', name: 'pg' };
const replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };

const reference = (owner: Owner) => ({ ...owner, uid: `owner-${owner.name}`, controller: true });

const budgetOver = (app: string, { owner, ...parts }: { spec: object; status?: object; owner?: Owner }) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: {
    name: 'guard',
    namespace: 'shop',
    generation: 1,
    ...(owner && { ownerReferences: [reference(owner)] }),
  },
  ...parts,
  spec: { selector: { matchLabels: { app } }, ...parts.spec },
});

const one = {
  currentHealthy: 1,
  desiredHealthy: 1,
  disruptionsAllowed: 0,
  expectedPods: 1,
  observedGeneration: 1,
};
const needsOne = { spec: { minAvailable: 1 }, status: one };
const podOf = (owner: Owner, name = 'web-1') => aPod(name, 'a', owner);
const given = ({ apiVersion, kind, name }: Owner, spec: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop', uid: `owner-${name}` },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] },
    },
    ...spec,
  },
});

async function planOf(...objects: object[]) {
  const { outside, written, folder } = await anOutside();
  const path = await aDump(folder, [aMachine('a'), anAwsMachine('a'), aNode('a'), ...objects]);
  const plan = async (...more: string[]): Promise<string> => {
    Object.assign(written, { stdout: '', stderr: '' });
    const code = await main(['plan', 'fleet/a', '--load', path, ...more], outside);
    expect(code).toBe(0);
    return written.stderr + written.stdout;
  };
  const { refusals } = parsed<DeletionPlan>(await plan('-o', 'json'));
  return { refusals, text: await plan() };
}

const violates = "Cannot evict pod as it would violate the pod's disruption budget.";
const needs = `${violates} The disruption budget guard needs 1 healthy pods and has 1 currently`;
const refused = { pod: 'shop/web-1', budget: 'shop/guard' };

describe('the plan of a dump says of a budget that allows nothing', () => {
  it.each([
    [
      'Longhorn keeps the Pod',
      [budgetOver('im-a', needsOne), podOf(instanceManager)],
      'the Pod is kept by InstanceManager im-a of longhorn.io',
    ],
    [
      'Rook keeps the budget',
      [
        budgetOver('web', { spec: { maxUnavailable: 0 }, status: one, owner: cephCluster }),
        podOf(replicaSet),
      ],
      'the budget is kept by CephCluster rook-ceph of ceph.rook.io',
    ],
    [
      'CloudNativePG keeps both',
      [budgetOver('pg', { ...needsOne, owner: postgres }), podOf(postgres)],
      'the budget is kept by Cluster pg of postgresql.cnpg.io; the Pod is kept by Cluster pg of postgresql.cnpg.io',
    ],
  ])('that %s, and never to delete the Pod', async (_, objects, explanation) => {
    const { refusals, text } = await planOf(...objects);
    expect(refusals).toEqual([{ ...refused, cause: 'BudgetHeldByOperator', message: needs, explanation }]);
    expect(text).toContain(`    ${explanation}\n    Until the operator of that owner acts`);
    expect(text).not.toMatch(/delete the Pod/);
  });

  it('that it is for ever where no operator keeps it, as before', async () => {
    const { refusals, text } = await planOf(budgetOver('web', needsOne), podOf(replicaSet));
    expect(refusals).toEqual([{ ...refused, cause: 'BudgetNeverAllows', message: needs }]);
    expect(text).toContain(
      '    For ever: this budget never lets a Pod go. Change the budget, or delete the Pod yourself.\n',
    );
  });

  it('why it cannot be computed, and not that it will allow one soon', async () => {
    const message = 'jobs.batch does not implement the scale subresource';
    const condition = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message };
    const status = { ...one, desiredHealthy: 0, expectedPods: 3, conditions: [condition] };
    const { refusals, text } = await planOf(
      budgetOver('web', { spec: { maxUnavailable: 1 }, status }),
      podOf(replicaSet),
    );
    const explanation = `it allows nothing until somebody changes what its controller fails on: ${message}`;
    expect(refusals).toMatchObject([{ ...refused, cause: 'BudgetNeverAllows', explanation }]);
    expect(text).toContain(`    ${explanation}\n    Until its sync is mended: `);
    expect(text).not.toMatch(/Change the budget|delete the Pod/);
    expect(text).not.toContain('For the moment');
  });
});

describe('the plan of a dump with a budget without a status', () => {
  const two = [podOf(replicaSet), { ...podOf(replicaSet, 'web-2'), spec: { nodeName: 'b', containers: [] } }];
  const computed =
    'without a status, so computed from the Pods and owners given: PodDisruptionBudget shop/guard\n';

  it('computes it from the Pods and owners that were given: it lets the Pod go', async () => {
    const guard = budgetOver('web', { spec: { maxUnavailable: 1 } });
    const { refusals, text } = await planOf(guard, given(replicaSet, { replicas: 2 }), ...two);
    expect(refusals).toEqual([]);
    expect(text).toContain(computed);
  });

  it('computes it from the Pods and owners that were given: it never does', async () => {
    const guard = budgetOver('web', { spec: { minAvailable: '80%' } });
    const { refusals } = await planOf(guard, given(replicaSet, { replicas: 2 }), ...two);
    const message = `${violates} The disruption budget guard needs 2 healthy pods and has 2 currently`;
    expect(refusals).toEqual([{ ...refused, cause: 'BudgetNeverAllows', message }]);
  });

  it('computes it without the owners where it does not depend on them', async () => {
    const { refusals } = await planOf(
      budgetOver('im-a', { spec: { minAvailable: 1 } }),
      podOf(instanceManager),
    );
    expect(refusals).toMatchObject([{ cause: 'BudgetHeldByOperator', message: needs }]);
  });

  it('says that it is unknown where it depends on owners that were not given', async () => {
    const guard = budgetOver('web', { spec: { maxUnavailable: 1 } });
    const { refusals, text } = await planOf(guard, ...two);
    const message =
      'unknown: no controller runs here that computes the budget, and it depends on what the owners of its Pods want';
    expect(refusals).toEqual([{ ...refused, cause: 'Unknown', message }]);
    expect(text).toContain(
      `Evictions of the first batch whose answer is unknown\n  shop/web-1  Unknown by PodDisruptionBudget shop/guard\n    ${message}\n`,
    );
    expect(text).not.toContain('would be refused now');
    expect(text).not.toContain(computed);
  });

  it('says so, too, where controllers have made the Pods of others', async () => {
    const guard = budgetOver('im-a', { spec: { maxUnavailable: 1 } });
    const deployment = given({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' }, { replicas: 1 });
    const { refusals, text } = await planOf(guard, podOf(instanceManager), deployment);
    expect(refusals).toMatchObject([{ ...refused, cause: 'Unknown' }]);
    expect(text).not.toContain(computed);
  });

  it('leaves one alone that has a status', async () => {
    const { text } = await planOf(budgetOver('web', needsOne), podOf(replicaSet));
    expect(text).not.toContain('without a status');
  });
});

describe('the run of a dump with a budget that an operator keeps', () => {
  it('holds the Machine, and names the operator', async () => {
    const { outside, written, folder } = await anOutside();
    const objects = [budgetOver('im-a', needsOne), podOf(instanceManager)];
    const path = await aDump(folder, [aMachine('a'), anAwsMachine('a'), aNode('a'), ...objects]);
    const code = await main(['run', '--load', path, '--delete', 'fleet/a', '--timeout', '10'], outside);
    expect({ code, stderr: written.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`fleet/a: drain: Pod shop/web-1: ${needs.replace('Cannot', 'cannot')}`),
    });
    expect(written.stdout).toContain(
      `refused=shop/web-1 cause=BudgetHeldByOperator why="${needs}" explanation="the Pod is kept by InstanceManager im-a of longhorn.io"`,
    );
  });
});
