import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { aPlatform, meta, type Platform } from '../platform.ts';

const labels = { app: 'web' };
const unknownOwners = new Set(['owner']);

const owned = (kind = 'ReplicaSet', uid = 'owner') => [
  { apiVersion: 'apps/v1', kind, name: 'web', uid, controller: true },
];

const aNode: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

const aPod = (name: string, ownerReferences = owned()): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...meta(name), labels, ownerReferences, uid: `pod-${name}` },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'x' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
});

const aBudget = (spec: object, status?: object): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { ...meta('budget'), generation: 1 },
  spec: { selector: { matchLabels: labels }, ...spec },
  ...(status && { status }),
});

const three = [aNode, aPod('a'), aPod('b'), aPod('c')];

describe('a budget over Pods whose owner was not given', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const status = () => platform.get('poddisruptionbudgets.policy', 'budget')!.status;

  async function removeOneByOne() {
    const allowed: (number | undefined)[] = [status()?.disruptionsAllowed];
    for (const name of ['a', 'b']) {
      platform.remove('pods', name);
      await platform.seconds(0.1);
      allowed.push(status()?.disruptionsAllowed);
      await platform.seconds(5);
      allowed.push(status()?.disruptionsAllowed);
    }
    return allowed;
  }

  it.each([
    ['a number that may be missing', { maxUnavailable: 1 }, { expectedPods: 3, desiredHealthy: 2 }],
    ['a part that may be missing', { maxUnavailable: '25%' }, { expectedPods: 3, desiredHealthy: 2 }],
    ['a number that must be there', { minAvailable: 2 }, { expectedPods: 3, desiredHealthy: 2 }],
    ['a part that must be there', { minAvailable: '60%' }, { expectedPods: 3, desiredHealthy: 2 }],
  ])('of %s counts the Pods that were given, and allows one after the other', async (_, spec, counts) => {
    platform = aPlatform({ loaded: [...three, aBudget(spec)], unknownOwners });
    await platform.seconds(1);
    expect(status()).toMatchObject(counts);
    expect(await removeOneByOne()).toEqual([1, 0, 1, 0, 1]);
    expect(platform.pods()).toEqual(['c']);
  });

  it('counts none of those that have no owner as replaced', async () => {
    const pods = ['a', 'b', 'c'].map((name) => aPod(name, []));
    platform = aPlatform({ loaded: [aNode, ...pods, aBudget({ minAvailable: 2 })], unknownOwners });
    await platform.seconds(1);
    expect(await removeOneByOne()).toEqual([1, 0, 0, 0, 0]);
  });

  it('counts one that has come back only once', async () => {
    platform = aPlatform({ loaded: [...three, aBudget({ minAvailable: 1 })], unknownOwners });
    await platform.seconds(1);
    platform.remove('pods', 'a');
    await platform.seconds(5);
    platform.create('pods', aPod('a'));
    await platform.seconds(5);
    expect(status()).toMatchObject({ currentHealthy: 3 });
  });

  it('stays one that could not be computed in the cluster itself', async () => {
    const condition = {
      type: 'DisruptionAllowed',
      status: 'False',
      reason: 'SyncFailed',
      message: 'no scale',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const failed = { disruptionsAllowed: 0, expectedPods: 7, conditions: [condition] };
    platform = aPlatform({ loaded: [...three, aBudget({ maxUnavailable: 1 }, failed)], unknownOwners });
    await platform.seconds(5);
    expect(status()).toMatchObject(failed);
  });

  it('is not told by one that never can be asked', async () => {
    const pods = [aPod('a', owned('Job')), aPod('b', owned('Job'))];
    platform = aPlatform({ loaded: [aNode, ...pods, aBudget({ maxUnavailable: 1 })], unknownOwners });
    await platform.seconds(1);
    expect(status()).toMatchObject({
      conditions: [{ message: 'jobs.batch does not implement the scale subresource' }],
    });
  });

  it('goes by a ReplicaSet whose Deployment was not given', async () => {
    const set: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { ...meta('web'), uid: 'set', ownerReferences: owned('Deployment') },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } },
      },
    };
    const pods = ['a', 'b', 'c'].map((name) => aPod(name, owned('ReplicaSet', 'set')));
    platform = aPlatform({
      loaded: [aNode, set, ...pods, aBudget({ maxUnavailable: 1 })],
      unknownOwners,
    });
    await platform.seconds(1);
    expect(status()).toMatchObject({ expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 });
  });
});
