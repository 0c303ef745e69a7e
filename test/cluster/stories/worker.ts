import { nodes, pods, volumeAttachments } from '../../../shared/kubernetes/resources.ts';
import { resources } from '../kinds.ts';
import { stopAnnotation } from '../play/kubelet.ts';
import type { Scene } from '../scene.ts';
import { drainRule, machines, makeCluster, makePod, makeWorker, podsGone, podsRun } from './objects.ts';
import { needsReasons, type Story } from './story.ts';
import { makeVolume } from './volumes.ts';

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/back-up-logs';

/** Everything that a worker of Cluster API can meet on its way. */
export const worker: Story = {
  name: 'worker',
  text: 'a worker with hooks, Pods of three orders, some that stay and one that is waited for, a volume, a server and a bootstrap config',
  notHere: needsReasons,
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1', { annotations: { [preDrain]: 'a-test', [preTerminate]: 'a-test' } });
    await populate(scene);
    await scene.follow();

    await scene.remove(machines, 'worker-1');
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Deleting',
      status: 'True',
      reason: 'WaitingForPreDrainHook',
      message: `Waiting for pre-drain hooks to succeed (hooks: ${preDrain})`,
    });
    await scene.annotate(machines, 'worker-1', { [preDrain]: null });
    await podsGone(scene, 'first', 'plain');
    await scene.patch(pods, scene.key('waited-for'), { status: { phase: 'Succeeded' } }, 'status');
    await podsGone(scene, 'last');
    await scene.untilCondition(machines, 'worker-1', { type: 'Deleting', reason: 'WaitingForVolumeDetach' });
    await detach(scene);
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Deleting',
      reason: 'WaitingForPreTerminateHook',
      message: `Waiting for pre-terminate hooks to succeed (hooks: ${preTerminate})`,
    });
    stays(scene);
    await scene.annotate(machines, 'worker-1', { [preTerminate]: null });
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Deleting',
      reason: 'WaitingForInfrastructureDeletion',
      message: 'Waiting for PhaseoutTestMachine to be deleted',
    });
    await scene.untilGone(machines, 'worker-1');
    await scene.untilSeen('Machine worker-1 gone');
    scene.chronicle.inOrder(
      'Machine worker-1 asked to go',
      'Node worker-1 cordoned',
      'Pod first asked to go',
      'Pod first gone',
      'Pod plain asked to go',
      'Pod plain gone',
      'Pod last asked to go',
      'Pod last gone',
      'volume data gone',
      'server worker-1 asked to go',
      'server worker-1 gone',
      'bootstrap config worker-1 asked to go',
      'bootstrap config worker-1 gone',
      'Node worker-1 gone',
      'Machine worker-1 gone',
    );
  },
};

async function populate(scene: Scene): Promise<void> {
  const on = 'worker-1';
  await scene.make(drainRule('first', 'first', { behavior: 'Drain', order: -5 }));
  await scene.make(drainRule('last', 'last', { behavior: 'Drain', order: 10 }));
  await scene.make(drainRule('jobs', 'job', { behavior: 'WaitCompleted' }));
  await makePod(scene, 'first', { on });
  await makePod(scene, 'plain', { on });
  await makeVolume(scene, 'data', on);
  await makePod(scene, 'last', {
    on,
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  });
  await makePod(scene, 'waited-for', {
    on,
    labels: { app: 'job' },
    annotations: { [stopAnnotation]: 'never' },
  });
  await makePod(scene, 'skipped', { on, labels: { 'cluster.x-k8s.io/drain': 'skip' } });
  await makePod(scene, 'mirror', { on, annotations: { 'kubernetes.io/config.mirror': 'a-hash' } });
  await makeDaemon(scene, on);
  await podsRun(scene, 'first', 'plain', 'last', 'waited-for', 'skipped', 'mirror', 'daemon');
}

/** What a drain leaves alone is still there, unasked. */
function stays({ chronicle }: Scene): void {
  for (const name of ['skipped', 'mirror', 'daemon', 'waited-for']) {
    if (chronicle.saw(`Pod ${name} asked to go`))
      throw new Error(`Pod ${name} was evicted\n${chronicle.text()}`);
  }
}

/** A real controller would make a Pod of its own for this Node, too: it takes ours for that. */
async function makeDaemon(scene: Scene, on: string): Promise<void> {
  const labels = { app: 'daemon' };
  const { metadata } = await scene.make({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'daemon' },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'OnDelete' },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/hostname': scene.global(on) },
          containers: [{ name: 'main', image: 'registry.example/none:1' }],
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
  });
  await scene.patch(
    nodes,
    { name: scene.global(on) },
    { metadata: { labels: { 'kubernetes.io/hostname': scene.global(on) } } },
  );
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name: 'daemon',
    uid: metadata.uid ?? '',
    controller: true,
  };
  await makePod(scene, 'daemon', { on, labels, ownerReferences: [owner] });
}

/** The volume `data` comes off worker-1. */
export async function detach(scene: Scene): Promise<void> {
  const status = { volumesAttached: [] };
  await scene.patch(nodes, { name: scene.global('worker-1') }, { status }, 'status');
  const key = { name: scene.global('data') };
  const found = await scene.site.kubernetes.get(volumeAttachments, key);
  await scene.site.kubernetes.delete(volumeAttachments, key, found?.metadata.uid ?? '');
}

const hookName = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/late';

/** What is looked at before every effect can still be said when the deletion has begun. */
export const lateHook: Story = {
  name: 'late-hook',
  text: 'a hook that comes in mid-drain holds the server',
  notHere: needsReasons,
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1');
    await makePod(scene, 'slow', { on: 'worker-1', annotations: { [stopAnnotation]: '4000' } });
    await podsRun(scene, 'slow');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilSeen('Pod slow asked to go');
    await scene.annotate(machines, 'worker-1', { [hookName]: 'a-test' });
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Deleting',
      reason: 'WaitingForPreTerminateHook',
      message: `Waiting for pre-terminate hooks to succeed (hooks: ${hookName})`,
    });
    if (scene.chronicle.saw('server worker-1 asked to go'))
      throw new Error('the server went in spite of the hook');
    await scene.annotate(machines, 'worker-1', { [hookName]: null });
    await scene.untilGone(machines, 'worker-1');
    if ((await scene.get(resources.infrastructure, 'worker-1')) !== undefined)
      throw new Error('the server is left');
  },
};
