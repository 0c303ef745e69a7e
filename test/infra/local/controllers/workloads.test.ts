import { afterEach, describe, expect, it } from 'vitest';
import { aPlatform, aWorkload, type Platform } from './platform.ts';

let platform: Platform;
afterEach(() => platform.stop());

function withNodes(...names: string[]): Platform {
  platform = aPlatform();
  for (const name of names) platform.addNode(name);
  return platform;
}

const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };

describe('a ReplicaSet', () => {
  it('keeps its replicas and counts them', async () => {
    withNodes('node-1', 'node-2').create('replicasets.apps', aWorkload('ReplicaSet', 'web', { replicas: 3 }));
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(3);
    expect(platform.pods().every((name) => /^web-[a-z0-9]{5}$/.test(name))).toBe(true);
    expect(platform.get('replicasets.apps', 'web')!.status).toMatchObject({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    });
  });

  it('replaces a Pod while that is still stopping', async () => {
    withNodes('node-1').create('replicasets.apps', aWorkload('ReplicaSet', 'web', { replicas: 1 }));
    await platform.seconds(2);
    const [first] = platform.pods();
    platform.remove('pods', first!);
    await platform.seconds(0.1);
    expect(platform.pods()).toHaveLength(2);
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(1);
    expect(platform.pods()).not.toEqual([first]);
  });

  it('gives up the Pods that are not Ready first', async () => {
    withNodes('node-1').create('replicasets.apps', aWorkload('ReplicaSet', 'web', { replicas: 1 }));
    await platform.seconds(2);
    const [ready] = platform.pods();
    platform.patch('nodes', 'node-1', { spec: { unschedulable: true } });
    platform.patch('replicasets.apps', 'web', { spec: { replicas: 4 } });
    await platform.seconds(2);
    platform.patch('replicasets.apps', 'web', { spec: { replicas: 1 } });
    await platform.seconds(2);
    expect(platform.pods()).toEqual([ready]);
  });
});

describe('a Deployment', () => {
  it('has one ReplicaSet and reports its Pods', async () => {
    withNodes('node-1').create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 2 }));
    await platform.seconds(2);
    const [set, ...others] = platform.list('replicasets.apps');
    expect(others).toEqual([]);
    expect(set!.metadata.name).toMatch(/^web-[0-9a-f]{10}$/);
    expect(platform.pods()).toHaveLength(2);
    expect(platform.get('deployments.apps', 'web')!.status).toMatchObject({ replicas: 2, readyReplicas: 2 });
  });

  it('scales its ReplicaSet', async () => {
    withNodes('node-1').create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 2 }));
    await platform.seconds(2);
    platform.patch('deployments.apps', 'web', { spec: { replicas: 5 } });
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(5);
    expect(platform.list('replicasets.apps')).toHaveLength(1);
  });

  it('moves to a new ReplicaSet when its template changes', async () => {
    withNodes('node-1').create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 2 }));
    await platform.seconds(2);
    const before = platform.pods();
    platform.patch('deployments.apps', 'web', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'img:2' }] } } },
    });
    await platform.seconds(3);
    expect(platform.pods()).toHaveLength(2);
    expect(platform.pods().some((name) => before.includes(name))).toBe(false);
    const sizes = platform.list('replicasets.apps').map(({ spec }) => String(spec!.replicas));
    expect(sizes.toSorted()).toEqual(['0', '2']);
  });

  it('adopts the ReplicaSet of its template whatever its hash', async () => {
    platform = aPlatform();
    const deployment = platform.create(
      'deployments.apps',
      aWorkload('Deployment', 'web', { paused: true, replicas: 1 }),
    );
    const set = aWorkload('ReplicaSet', 'web-6c8b9f', { replicas: 1 });
    set.spec!.template!.metadata!.labels = { app: 'web', 'pod-template-hash': '6c8b9f' };
    const { name, uid = '' } = deployment.metadata;
    set.metadata.ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true },
    ];
    platform.create('replicasets.apps', set);
    platform.patch('deployments.apps', 'web', { spec: { paused: null, replicas: 3 } });
    await platform.seconds(1);
    expect(platform.list('replicasets.apps').map(({ spec }) => spec!.replicas)).toEqual([3]);
  });
});

describe('a StatefulSet', () => {
  it('starts its Pods one at a time, each with a claim and a volume of its own', async () => {
    withNodes('node-1');
    platform.create(
      'statefulsets.apps',
      aWorkload('StatefulSet', 'db', { replicas: 2, volumeClaimTemplates: [claim] }),
    );
    await platform.seconds(0.4);
    expect(platform.pods()).toEqual(['db-0']);
    await platform.seconds(2);
    expect(platform.pods()).toEqual(['db-0', 'db-1']);
    expect(platform.pod('db-1')!.spec!.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } },
    ]);
    const bound = platform.get('persistentvolumeclaims', 'data-db-1')!;
    expect(bound.status!.phase).toBe('Bound');
    expect(platform.get('persistentvolumes', bound.spec!.volumeName!, '')!.spec).toMatchObject({
      csi: { driver: 'csi.local.phaseout.dev', volumeHandle: bound.spec!.volumeName },
      claimRef: { namespace: 'default', name: 'data-db-1' },
    });
    expect(platform.get('statefulsets.apps', 'db')!.status).toMatchObject({ replicas: 2, readyReplicas: 2 });
  });

  it('replaces a Pod by one of the same name only when it is gone', async () => {
    withNodes('node-1').create('statefulsets.apps', aWorkload('StatefulSet', 'db', { replicas: 1 }));
    await platform.seconds(2);
    const { uid } = platform.pod('db-0')!.metadata;
    platform.remove('pods', 'db-0');
    await platform.seconds(0.9);
    expect(platform.pod('db-0')!.metadata.uid).toBe(uid);
    await platform.seconds(2);
    expect(platform.pod('db-0')!.metadata.uid).not.toBe(uid);
  });

  it('goes down from its last Pod', async () => {
    withNodes('node-1').create('statefulsets.apps', aWorkload('StatefulSet', 'db', { replicas: 3 }));
    await platform.seconds(3);
    platform.patch('statefulsets.apps', 'db', { spec: { replicas: 1 } });
    await platform.seconds(1.5);
    expect(platform.pods()).toEqual(['db-0', 'db-1']);
    await platform.seconds(3);
    expect(platform.pods()).toEqual(['db-0']);
  });
});

describe('a DaemonSet', () => {
  it('has one Pod on every Node, cordoned or not, that its selector takes', async () => {
    withNodes('node-1');
    platform.addNode('node-2', { unschedulable: true });
    platform.addNode('node-3', { labels: { os: 'windows' } });
    const pod = { nodeSelector: { os: 'linux' } };
    for (const node of ['node-1', 'node-2'])
      platform.patch('nodes', node, { metadata: { labels: { os: 'linux' } } });
    platform.create('daemonsets.apps', aWorkload('DaemonSet', 'agent', { pod }));
    await platform.seconds(2);
    expect(
      platform
        .list('pods')
        .map(({ spec }) => String(spec!.nodeName))
        .toSorted(),
    ).toEqual(['node-1', 'node-2']);
    expect(platform.get('daemonsets.apps', 'agent')!.status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberReady: 2,
    });
  });

  it('puts its Pod back on a drained Node, and follows Nodes that come and go', async () => {
    withNodes('node-1', 'node-2').create('daemonsets.apps', aWorkload('DaemonSet', 'agent'));
    await platform.seconds(1);
    platform.patch('nodes', 'node-1', { spec: { unschedulable: true } });
    for (const name of platform.pods()) platform.remove('pods', name);
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(2);
    platform.remove('nodes', 'node-1', '');
    platform.addNode('node-3');
    await platform.seconds(2);
    expect(
      platform
        .list('pods')
        .map(({ spec }) => String(spec!.nodeName))
        .toSorted(),
    ).toEqual(['node-2', 'node-3']);
  });
});

describe('a DaemonSet on a Node that gets a taint', () => {
  it.each([
    ['NoSchedule', 1],
    ['NoExecute', 0],
  ])('of effect %s keeps %i Pods there', async (effect, count) => {
    withNodes('node-1').create('daemonsets.apps', aWorkload('DaemonSet', 'agent'));
    await platform.seconds(2);
    platform.patch('nodes', 'node-1', { spec: { taints: [{ key: 'maintenance', effect }] } });
    await platform.seconds(5);
    expect(platform.pods()).toHaveLength(count);
  });
});

describe('a Job', () => {
  it('runs Pods until enough have succeeded, counting each once', async () => {
    withNodes('node-1');
    const annotations = { 'local.phaseout.dev/run-seconds': '3' };
    platform.create('jobs.batch', aWorkload('Job', 'sum', { annotations, completions: 3, parallelism: 2 }));
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(2);
    await platform.seconds(60);
    expect(platform.pods()).toEqual([]);
    const { succeeded, active, conditions } = platform.get('jobs.batch', 'sum')!.status!;
    expect({ succeeded, active }).toEqual({ succeeded: 3, active: 0 });
    expect(conditions).toMatchObject([{ type: 'Complete', status: 'True' }]);
  });

  it('starts again what was evicted before it had ended', async () => {
    withNodes('node-1');
    const annotations = { 'local.phaseout.dev/run-seconds': '60' };
    platform.create('jobs.batch', aWorkload('Job', 'sum', { annotations }));
    await platform.seconds(2);
    const [first] = platform.pods();
    platform.remove('pods', first!);
    await platform.seconds(2);
    expect(platform.pods()).toHaveLength(1);
    expect(platform.pods()).not.toEqual([first]);
  });

  describe('with the finalizer that tracks its Pods', () => {
    const finalizers = ['batch.kubernetes.io/job-tracking'];
    const tracked = { metadata: { finalizers } };

    it('lets go of a Pod that has completed', async () => {
      withNodes('node-1');
      const annotations = { 'local.phaseout.dev/run-seconds': '3' };
      platform.create('jobs.batch', aWorkload('Job', 'sum', { annotations }));
      await platform.seconds(2);
      platform.patch('pods', platform.pods()[0]!, tracked);
      await platform.seconds(60);
      expect(platform.pods()).toEqual([]);
      expect(platform.get('jobs.batch', 'sum')!.status).toMatchObject({ succeeded: 1 });
    });

    it.each([
      ['there', true],
      ['gone', false],
    ])('lets go of a Pod that was deleted and has stopped, the Job being %s', async (_what, isThere) => {
      withNodes('node-1');
      platform.create('jobs.batch', aWorkload('Job', 'sum', { parallelism: 1 }));
      await platform.seconds(2);
      const [first] = platform.pods();
      platform.patch('pods', first!, tracked);
      if (!isThere) platform.remove('jobs.batch', 'sum');
      platform.remove('pods', first!);
      await platform.seconds(3);
      expect(platform.pods()).toHaveLength(isThere ? 1 : 0);
      expect(platform.pods()).not.toContain(first);
    });

    it('keeps a Pod that has not ended', async () => {
      withNodes('node-1');
      platform.create('jobs.batch', aWorkload('Job', 'sum', {}));
      await platform.seconds(2);
      const [first] = platform.pods();
      platform.patch('pods', first!, tracked);
      await platform.seconds(5);
      expect(platform.get('pods', first!)!.metadata.finalizers).toEqual(finalizers);
    });

    it('lets go of a Pod whose Node has gone', async () => {
      withNodes('node-1');
      platform.create('jobs.batch', aWorkload('Job', 'sum', { suspend: false }));
      await platform.seconds(2);
      const [first] = platform.pods();
      platform.patch('pods', first!, tracked);
      platform.remove('nodes', 'node-1');
      await platform.seconds(120);
      expect(platform.pods()).not.toContain(first);
    });
  });
});
