import { release } from '../../../../infra/cli/release/release.ts';
import { servedMachineApi } from '../../../../infra/host/served-machine-apis.ts';
import { releasedAnnotation } from '../../../../shared/dialects/beside/hook.ts';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { events } from '../../../../shared/kubernetes/resources.ts';
import { stopAnnotation } from '../../play/kubelet.ts';
import type { Scene } from '../../scene.ts';
import { drainRule, machines, makeCluster, makePod, makeWorker, podsGone, podsRun } from '../objects.ts';
import { needsRules, type Story } from '../story.ts';
import { hookIn, isHeld, makeHeld, peerFree, peerHeld, staysSo } from './held.ts';

const on = 'worker-1';

/** It may get the hook only once it is being deleted. By then it is too late, and phaseout reports that. */
export const withoutHook: Story = {
  name: 'without-hook',
  text: 'a deletion that begins without the hook is left to the peer, and told',
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, on, { annotations: { [releasedAnnotation]: 'a-test', ...peerHeld } });
    await makePod(scene, 'web', { on });
    await podsRun(scene, 'web');
    await scene.follow();
    await scene.remove(machines, on);
    await scene.annotate(machines, on, { [releasedAnnotation]: null });
    await scene.until('Event HookLate', async () => {
      const { items } = await scene.site.kubernetes.list(events, { namespace: scene.namespace });
      return items.some((event) => event['reason'] === 'HookLate') || undefined;
    });
    await staysSo(scene, 'Node worker-1 cordoned', 'Pod web asked to go');
    if (await isHeld(scene, on)) throw new Error('the hook came while the Machine was being deleted');
    await leaveToPeer(scene, 'web');
  },
};

/** The peer may go on now, and what is left on the Node is for it. */
async function leaveToPeer(scene: Scene, pod: string): Promise<void> {
  await scene.annotate(machines, on, peerFree);
  await scene.untilGone(machines, on);
  await scene.untilSeen('Machine worker-1 gone');
  scene.chronicle.inOrder(`Pod ${pod} asked to go`, 'server worker-1 gone', 'Machine worker-1 gone');
}

/** A drain under way, with one Pod not evicted yet. Another hook holds the peer. */
async function inMidDrain(scene: Scene): Promise<void> {
  await makeCluster(scene);
  await makeHeld(scene, on, { annotations: peerHeld });
  await scene.make(drainRule('last', 'last', { behavior: 'Drain', order: 10 }));
  await makePod(scene, 'slow', { on, annotations: { [stopAnnotation]: '4000' } });
  await makePod(scene, 'last', { on });
  await podsRun(scene, 'slow', 'last');
  await scene.follow();
  await scene.remove(machines, on);
  await scene.untilSeen('Pod slow asked to go');
}

/** Nothing of ours comes to pass any more, and the hook does not come back. */
async function endsThere(scene: Scene): Promise<void> {
  await podsGone(scene, 'slow');
  await staysSo(scene, 'Pod last asked to go');
  if (await isHeld(scene, on)) throw new Error('the hook is back');
  await leaveToPeer(scene, 'last');
}

export const hookTakenOff: Story = {
  name: 'taken-off',
  text: 'our hook taken off by somebody in mid-drain: no effect after that',
  notHere: needsRules,
  async tell(scene) {
    await inMidDrain(scene);
    await scene.annotate(machines, on, { [hookIn(scene)]: null });
    await endsThere(scene);
  },
};

export const released: Story = {
  name: 'released',
  text: 'phaseout release in mid-drain: no effect after that',
  notHere: needsRules,
  async tell(scene) {
    await inMidDrain(scene);
    const { kubernetes, server: where, interrupted } = scene.site;
    const what = {
      released: [{ namespace: scene.namespace, name: on }],
      installation: scene.run,
      isDryRun: false,
    };
    // What was not there when the run began counts as absent for some seconds.
    await scene.until('Machines to be served', () => servedMachineApi(kubernetes, clusterApi));
    const outcome = await release(
      { kubernetes, where, interrupted, tell: () => undefined, othersNode: async () => undefined },
      what,
    );
    if (outcome !== 'done') throw new Error(`phaseout release is ${outcome}`);
    await endsThere(scene);
  },
};
