import { drainingCondition } from '../../../../shared/dialects/beside/hook.ts';
import { resources } from '../../kinds.ts';
import { stopAnnotation } from '../../play/kubelet.ts';
import type { Scene } from '../../scene.ts';
import { clusterName } from '../capi-machine.ts';
import {
  drainRule,
  machines,
  makeBudget,
  makeCluster,
  makeNode,
  makePod,
  podsGone,
  podsRun,
} from '../objects.ts';
import { needsAll, needsReasons, needsRules, type Story } from '../story.ts';
import { makeVolume } from '../volumes.ts';
import { detach } from '../worker.ts';
import { beforeOurs, isHeld, makeHeld, staysSo } from './held.ts';

const on = 'worker-1';

/** The peer is held by the hook until phaseout takes it off: all that comes before is phaseout's doing. */
export const handedOver: Story = {
  name: 'handed-over',
  text: 'a worker that gets the hook as it lives: drained, its volume waited for, and handed over to the peer',
  notHere: needsAll(needsReasons, needsRules),
  async tell(scene) {
    await makeCluster(scene);
    await makeHeld(scene, on);
    await populate(scene);
    await scene.follow();
    await scene.remove(machines, on);
    await scene.until('one of two Pods to be gone', () => goneOf(scene, 'web-1', 'web-2') === 1 || undefined);
    await staysSo(scene, goneOf(scene, 'web-1') === 1 ? 'Pod web-2 asked to go' : 'Pod web-1 asked to go');
    await makePod(scene, 'new-1', { on: 'elsewhere', labels: { app: 'web' } });
    await podsGone(scene, 'web-1', 'web-2', 'last');
    const waits = { type: drainingCondition, status: 'True', reason: 'WaitingForVolumeDetach' };
    await scene.untilCondition(machines, on, waits);
    await detach(scene);
    await scene.untilGone(machines, on);
    await scene.untilSeen('Machine worker-1 gone');
    scene.chronicle.inOrder(
      'Machine worker-1 asked to go',
      'Node worker-1 cordoned',
      'Pod first asked to go',
      'Pod first gone',
      'Pod last asked to go',
      'Pod last gone',
      'volume data gone',
      'Machine worker-1 let go',
      'server worker-1 asked to go',
      'server worker-1 gone',
      'bootstrap config worker-1 gone',
      'Node worker-1 gone',
      'Machine worker-1 gone',
    );
  },
};

async function populate(scene: Scene): Promise<void> {
  await scene.make(drainRule('first', 'first', { behavior: 'Drain', order: -5 }));
  await scene.make(drainRule('last', 'last', { behavior: 'Drain', order: 10 }));
  await makeNode(scene, 'elsewhere');
  await makePod(scene, 'first', { on });
  await makePod(scene, 'web-1', { on, labels: { app: 'web' } });
  await makePod(scene, 'web-2', { on, labels: { app: 'web' } });
  await makeVolume(scene, 'data', on);
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  await makePod(scene, 'last', { on, volumes });
  await podsRun(scene, 'first', 'web-1', 'web-2', 'last');
  await makeBudget(scene, 'web', 1, 2);
}

const goneOf = ({ chronicle }: Scene, ...names: string[]): number =>
  names.filter((name) => chronicle.saw(`Pod ${name} gone`)).length;

export const hookBefore: Story = {
  name: 'hook-before',
  text: 'a hook of somebody else before ours',
  notHere: needsReasons,
  async tell(scene) {
    await makeCluster(scene);
    await makeHeld(scene, on, { annotations: { [beforeOurs]: 'a-test' } });
    await makePod(scene, 'web', { on });
    await podsRun(scene, 'web');
    await scene.follow();
    await scene.remove(machines, on);
    await scene.untilCondition(machines, on, {
      type: drainingCondition,
      status: 'True',
      reason: 'WaitingForPreDrainHook',
      message: `Waiting for pre-drain hooks to succeed (hooks: ${beforeOurs})`,
    });
    await staysSo(scene, 'Node worker-1 cordoned', 'Pod web asked to go', 'Machine worker-1 let go');
    await scene.annotate(machines, on, { [beforeOurs]: null });
    await scene.untilGone(machines, on);
    await scene.untilSeen('Machine worker-1 gone');
    scene.chronicle.inOrder('Pod web gone', 'Machine worker-1 let go', 'server worker-1 gone');
  },
};

export const pausedDrain: Story = {
  name: 'paused-drain',
  text: 'paused in mid-drain by its Cluster, and resumed',
  notHere: needsRules,
  async tell(scene) {
    await makeCluster(scene);
    await makeHeld(scene, on);
    await scene.make(drainRule('last', 'last', { behavior: 'Drain', order: 10 }));
    await makePod(scene, 'slow', { on, annotations: { [stopAnnotation]: '3000' } });
    await makePod(scene, 'last', { on });
    await podsRun(scene, 'slow', 'last');
    await scene.follow();
    await scene.remove(machines, on);
    await scene.untilSeen('Pod slow asked to go');
    const cluster = scene.key(clusterName);
    await scene.patch(resources.capiClusters, cluster, { spec: { paused: true } });
    await podsGone(scene, 'slow');
    await staysSo(scene, 'Pod last asked to go', 'Machine worker-1 let go', 'server worker-1 asked to go');
    if (!(await isHeld(scene, on))) throw new Error('the hook was taken off while all was paused');
    await scene.patch(resources.capiClusters, cluster, { spec: { paused: false } });
    await scene.untilGone(machines, on);
    await scene.untilSeen('Machine worker-1 gone');
    scene.chronicle.inOrder('Pod last gone', 'Machine worker-1 let go', 'server worker-1 gone');
  },
};
