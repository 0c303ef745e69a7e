import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, aPod, aWorkload, meta, type Platform } from '../platform.ts';

describe('the disruption controller', () => {
  let platform: Platform;
  afterEach(() => platform.stop());

  const status = (name = 'budget') => platform.get('poddisruptionbudgets.policy', name)!.status;

  function addBudget(spec: object, name = 'budget') {
    platform.create('poddisruptionbudgets.policy', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta(name),
      spec,
    });
  }

  const selector = { matchLabels: { app: 'web' } };

  it.each([
    ['a ReplicaSet', 'replicasets.apps', 'ReplicaSet'],
    ['a Deployment', 'deployments.apps', 'Deployment'],
    ['a StatefulSet', 'statefulsets.apps', 'StatefulSet'],
  ])('asks %s how many Pods there should be', async (_, resource, kind) => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector, maxUnavailable: 1 });
    platform.create(resource, aWorkload(kind, 'web', { replicas: 3 }));
    await platform.seconds(5);
    expect(status()).toMatchObject({
      observedGeneration: 1,
      expectedPods: 3,
      desiredHealthy: 2,
      currentHealthy: 3,
      disruptionsAllowed: 1,
      conditions: [{ reason: 'SufficientPods' }],
    });
  });

  it('follows the scale', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector, maxUnavailable: '50%' });
    platform.create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 2 }));
    await platform.seconds(5);
    platform.patch('deployments.apps', 'web', { spec: { replicas: 10 } });
    await platform.seconds(5);
    expect(status()).toMatchObject({ expectedPods: 10, currentHealthy: 10, disruptionsAllowed: 5 });
  });

  it('frees the budget again when the replacement is Ready', async () => {
    platform = aPlatform({ podStartSeconds: 3 });
    platform.addNode('node-1');
    addBudget({ selector, maxUnavailable: 1 });
    platform.create('replicasets.apps', aWorkload('ReplicaSet', 'web', { replicas: 2 }));
    await platform.seconds(5);
    platform.remove('pods', platform.pods()[0]!);
    await platform.seconds(0.1);
    expect(status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 1 });
    await platform.seconds(3);
    expect(status()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
  });

  it('forgets an eviction that was allowed but never happened, after two minutes', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector, minAvailable: 1 });
    for (const name of ['a', 'b']) platform.addPod(name, { node: 'node-1', labels: { app: 'web' } });
    await platform.seconds(1);
    const evicted = { disruptionsAllowed: 0, disruptedPods: { a: '2026-01-01T00:00:01Z' } };
    platform.patch('poddisruptionbudgets.policy', 'budget', { status: evicted }, 'status');
    await platform.seconds(60);
    expect(status()).toMatchObject({ disruptionsAllowed: 0, disruptedPods: evicted.disruptedPods });
    await platform.seconds(60);
    expect(status()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
    expect(status()!.disruptedPods).toBeUndefined();
  });

  it('drops an eviction as soon as its Pod terminates', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector, minAvailable: 1 });
    for (const name of ['a', 'b']) platform.addPod(name, { node: 'node-1', labels: { app: 'web' } });
    await platform.seconds(1);
    const disruptedPods = { a: '2026-01-01T00:00:01Z' };
    platform.patch('poddisruptionbudgets.policy', 'budget', { status: { disruptedPods } }, 'status');
    platform.remove('pods', 'a');
    await platform.seconds(0.1);
    expect(status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 1 });
    expect(status()!.disruptedPods).toBeUndefined();
  });

  it('writes a status once and then leaves it alone', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector, minAvailable: 1 });
    platform.addPod('a', { node: 'node-1', labels: { app: 'web' } });
    await platform.seconds(5);
    const before = platform.get('poddisruptionbudgets.policy', 'budget')!.metadata.resourceVersion;
    platform.patch('pods', 'a', { metadata: { annotations: { touched: 'yes' } } });
    await platform.seconds(300);
    expect(platform.get('poddisruptionbudgets.policy', 'budget')!.metadata.resourceVersion).toBe(before);
  });

  it.each([
    ['DaemonSet', 'daemonsets.apps does not implement the scale subresource'],
    ['ReplicaSet', 'found no controllers for pod "a"'],
  ])('says why when the %s of a Pod cannot be asked', async (kind, message) => {
    platform = aPlatform({ only: ['disruption'] });
    addBudget({ selector, maxUnavailable: 1 });
    const owner = { apiVersion: 'apps/v1', kind, name: 'gone', uid: '00000000-0000-0000-0000-000000000001' };
    platform.create('pods', aPod('a', { labels: { app: 'web' }, owner }));
    await platform.seconds(1);
    expect(status()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed', message }],
    });
  });

  it('takes an empty selector for all Pods and an absent one for none', async () => {
    platform = aPlatform();
    platform.addNode('node-1');
    addBudget({ selector: {}, minAvailable: 1 }, 'every');
    addBudget({ minAvailable: 1 }, 'none');
    for (const name of ['a', 'b']) platform.addPod(name, { node: 'node-1' });
    await platform.seconds(1);
    expect(status('every')).toMatchObject({ expectedPods: 2, disruptionsAllowed: 1 });
    expect(status('none')).toMatchObject({ expectedPods: 0, disruptionsAllowed: 0 });
  });
});
