import { afterEach, describe, expect, it } from 'vitest';
import type { Workload } from '../../../../../infra/local/controllers/machinery/objects.ts';
import { aPlatform, aWorkload, type Platform } from '../platform.ts';

let platform: Platform;
afterEach(() => platform.stop());

type Spec = Partial<NonNullable<Workload['spec']>>;

/** A Deployment whose Pods run, on two Nodes. */
async function aDeployment(spec: Spec = {}): Promise<void> {
  platform = aPlatform();
  platform.addNode('node-1');
  platform.addNode('node-2');
  platform.create('deployments.apps', aWorkload('Deployment', 'web', { replicas: 1, ...spec }));
  await platform.seconds(2);
}

const restart = (at = 'now'): void => {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': at };
  platform.patch('deployments.apps', 'web', { spec: { template: { metadata: { annotations } } } });
};

const deployment = (): Workload => platform.get('deployments.apps', 'web')!;
const progress = (): [string, string] | undefined => {
  const condition = deployment().status?.conditions?.find(({ type }) => type === 'Progressing');
  return condition && [condition.status, condition.reason ?? ''];
};

/** The fewest that were available in that time. */
async function fewest(seconds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tenth = 0; tenth < seconds * 10; tenth += 1) {
    await platform.seconds(0.1);
    const ready = platform.list('pods').filter(({ metadata, status }) => {
      const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
      return metadata.deletionTimestamp === undefined && isReady;
    });
    least = Math.min(least, ready.length);
  }
  return least;
}

describe('a restarted Deployment', () => {
  it('brings the new Pod up before the old one goes', async () => {
    await aDeployment();
    const before = platform.pods();
    restart();
    expect(await fewest(5)).toBe(1);
    expect(platform.pods()).toHaveLength(1);
    expect(platform.pods()).not.toEqual(before);
  });

  it('is short of its Pods meanwhile where it may not go above', async () => {
    await aDeployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } });
    restart();
    expect(await fewest(5)).toBe(0);
    expect(platform.pods()).toHaveLength(1);
  });

  it('that is recreated has none in between, and no two at once', async () => {
    await aDeployment({ replicas: 2, strategy: { type: 'Recreate' } });
    restart();
    await platform.seconds(0.5);
    expect(platform.pods()).toHaveLength(2);
    expect(platform.list('pods').every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(
      true,
    );
    await platform.seconds(4);
    expect(deployment().status).toMatchObject({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 });
  });

  it('does nothing while it is paused', async () => {
    await aDeployment({ paused: false });
    const before = platform.pods();
    platform.patch('deployments.apps', 'web', { spec: { paused: true } });
    restart();
    await platform.seconds(5);
    expect(platform.pods()).toEqual(before);
    expect(progress()).toEqual(['Unknown', 'DeploymentPaused']);
  });
});

describe('its status', () => {
  it('says what it has seen and what is up to date', async () => {
    await aDeployment({ replicas: 2 });
    expect(deployment().status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 0,
      conditions: [
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
        { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
      ],
    });
  });

  it('says when a rollout is over', async () => {
    await aDeployment();
    restart();
    await platform.seconds(0.1);
    expect(progress()).toEqual(['True', 'ReplicaSetUpdated']);
    expect(deployment().status).toMatchObject({ replicas: 2, updatedReplicas: 1 });
    await platform.seconds(5);
    expect(progress()).toEqual(['True', 'NewReplicaSetAvailable']);
  });

  it('says when a rollout has had no progress for too long, and keeps the old Pod', async () => {
    await aDeployment({ progressDeadlineSeconds: 30 });
    const [old] = platform.pods();
    for (const name of ['node-1', 'node-2']) platform.patch('nodes', name, { spec: { unschedulable: true } });
    restart();
    await platform.seconds(29);
    expect(progress()?.[0]).toBe('True');
    await platform.seconds(5);
    expect(progress()).toEqual(['False', 'ProgressDeadlineExceeded']);
    expect(platform.pods()).toContain(old);
    platform.patch('nodes', 'node-1', { spec: { unschedulable: null } });
    await platform.seconds(5);
    expect(progress()).toEqual(['True', 'NewReplicaSetAvailable']);
  });

  it('has one revision more for each template, as its newest ReplicaSet', async () => {
    await aDeployment();
    const key = 'deployment.kubernetes.io/revision';
    expect(deployment().metadata.annotations?.[key]).toBe('1');
    restart();
    await platform.seconds(5);
    expect(deployment().metadata.annotations?.[key]).toBe('2');
    const sets = platform.list('replicasets.apps');
    expect(sets.map(({ metadata, spec }) => [metadata.annotations?.[key], spec?.replicas])).toEqual(
      expect.arrayContaining([
        ['1', 0],
        ['2', 1],
      ]),
    );
  });
});
