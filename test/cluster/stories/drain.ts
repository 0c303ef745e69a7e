import { resources } from '../kinds.ts';
import { stopAnnotation } from '../play/kubelet.ts';
import { pause } from '../until.ts';
import { clusterName } from './capi-machine.ts';
import {
  budgetSees,
  machines,
  makeBudget,
  makeCluster,
  makeNode,
  makePod,
  makeWorker,
  podsGone,
  podsRun,
} from './objects.ts';
import { needsReasons, type Story } from './story.ts';
import { makeVolume } from './volumes.ts';

/** One may go at a time, and only when another has come elsewhere. */
export const budget: Story = {
  name: 'budget',
  text: 'a disruption budget of one over three Pods',
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1');
    await makeNode(scene, 'elsewhere');
    const names = ['web-1', 'web-2', 'web-3'];
    const labels = { app: 'web' };
    for (const name of names) await makePod(scene, name, { on: 'worker-1', labels });
    await podsRun(scene, ...names);
    await makeBudget(scene, 'web', 2, 3);
    await scene.follow();
    await scene.remove(machines, 'worker-1');

    for (const round of [1, 2, 3]) {
      const gone = await scene.until(`Pod ${round} of three to be gone`, () => {
        const found = names.filter((name) => scene.chronicle.saw(`Pod ${name} gone`));
        return found.length >= round ? found : undefined;
      });
      const asked = names.filter((name) => scene.chronicle.saw(`Pod ${name} asked to go`));
      if (asked.length > gone.length)
        throw new Error(`more went than the budget allows: ${asked.join(', ')}`);
      await makePod(scene, `new-${round}`, { on: 'elsewhere', labels });
      await podsRun(scene, `new-${round}`);
    }
    await scene.untilGone(machines, 'worker-1');
    await budgetSees(scene, 'web', 3);
  },
};

export const paused: Story = {
  name: 'paused',
  text: 'paused in mid-drain by its Cluster, and resumed',
  notHere: needsReasons,
  async tell(scene) {
    await makeCluster(scene);
    await makeWorker(scene, 'worker-1');
    await makePod(scene, 'slow', { on: 'worker-1', annotations: { [stopAnnotation]: '3000' } });
    await podsRun(scene, 'slow');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilSeen('Pod slow asked to go');
    const cluster = scene.key(clusterName);
    await scene.patch(resources.capiClusters, cluster, { spec: { paused: true } });
    await podsGone(scene, 'slow');
    await scene.untilCondition(machines, 'worker-1', {
      type: 'Paused',
      status: 'True',
      reason: 'Paused',
      message: 'Cluster spec.paused is set to true',
    });
    await pause(3_000, scene.site.clock, scene.site.interrupted);
    if (scene.chronicle.saw('server worker-1 asked to go'))
      throw new Error('the server went while all was paused');
    await scene.patch(resources.capiClusters, cluster, { spec: { paused: false } });
    await scene.untilGone(machines, 'worker-1');
  },
};

/** Neither a Pod that never ends nor a volume that never comes off holds the Machine for ever. */
export const timeouts: Story = {
  name: 'timeouts',
  text: 'a drain and a volume that take too long',
  notHere: needsReasons,
  async tell(scene) {
    await makeCluster(scene);
    const deletion = { nodeDrainTimeoutSeconds: 6, nodeVolumeDetachTimeoutSeconds: 6 };
    await makeWorker(scene, 'worker-1', { deletion });
    await makePod(scene, 'for-ever', { on: 'worker-1', annotations: { [stopAnnotation]: 'never' } });
    await podsRun(scene, 'for-ever');
    await makeVolume(scene, 'left-over', 'worker-1');
    await scene.follow();
    await scene.remove(machines, 'worker-1');
    await scene.untilCondition(machines, 'worker-1', { type: 'Deleting', reason: 'DrainingNode' });
    await scene.untilCondition(machines, 'worker-1', { type: 'Deleting', reason: 'WaitingForVolumeDetach' });
    await scene.untilGone(machines, 'worker-1');
    await scene.untilSeen('Node worker-1 gone');
    scene.chronicle.inOrder('Pod for-ever asked to go', 'server worker-1 gone', 'Node worker-1 gone');
  },
};

/** The last of its kind keeps its Node: the control plane would be gone otherwise. */
export const controlPlane: Story = {
  name: 'control-plane',
  text: 'the last control plane Machine: its server goes, its Node is not touched',
  async tell(scene) {
    await makeCluster(scene);
    await makePod(scene, 'stays', { on: 'master-1' });
    await podsRun(scene, 'stays');
    await scene.follow();
    await scene.remove(machines, 'master-1');
    await scene.untilGone(machines, 'master-1');
    await scene.untilSeen('server master-1 gone');
    for (const text of ['Pod stays asked to go', 'Node master-1 cordoned', 'Node master-1 gone']) {
      if (scene.chronicle.saw(text)) throw new Error(text);
    }
  },
};

export const together: Story = {
  name: 'together',
  text: 'ten Machines at once',
  async tell(scene) {
    const names = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    await makeCluster(scene);
    await Promise.all(names.map((name) => makeWorker(scene, name)));
    await Promise.all(names.map((name) => makePod(scene, `on-${name}`, { on: name })));
    await podsRun(scene, ...names.map((name) => `on-${name}`));
    await scene.follow();
    await Promise.all(names.map((name) => scene.remove(machines, name)));
    await scene.untilGone(machines, ...names);
    await scene.untilSeen('Node worker-9 gone');
    for (const name of names) {
      scene.chronicle.inOrder(
        `Pod on-${name} asked to go`,
        `Pod on-${name} gone`,
        `server ${name} gone`,
        `Node ${name} gone`,
      );
    }
  },
};
