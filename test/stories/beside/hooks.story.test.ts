import { hook } from '../stage/beside/fleet.ts';
import { inMidDrain } from '../stage/beside/scenes.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/hooks';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';
const paused = 'cluster.x-k8s.io/paused';
const excluded = 'machine.cluster.x-k8s.io/exclude-node-draining';

story(group, 'another pre-drain hook goes before ours', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { annotations: { [`${preDrain}/backup`]: 'x' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [`${preDrain}/backup`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'another pre-drain hook goes after ours', {
  env: { PHASEOUT_HOOKS_AFTER: 'backup' },
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { annotations: { [`${preDrain}/backup`]: 'x' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('a Pod comes that tolerates everything');
    fleet.pod('late', 'node-1', { tolerations: [{ operator: 'Exists' }] });
    fleet.annotate('worker-1', { [`${preDrain}/backup`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'another pre-drain hook comes in mid-drain', {
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [`${preDrain}/late`]: '' });
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [`${preDrain}/late`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a pre-terminate hook is left to the peer', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { annotations: { [`${preTerminate}/x`]: '' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [`${preTerminate}/x`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'our hook is taken off by somebody in mid-drain', {
  thorough: true,
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'our hook is given another value in mid-drain', {
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [hook]: 'somebody' });
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'excluded from the drain in mid-drain', {
  thorough: true,
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [excluded]: '' });
    await fleet.gone('worker-1');
  },
});

story(group, 'excluded from the drain, and drained all the same', {
  env: { PHASEOUT_BESIDE_EXCLUDED: 'drain' },
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { annotations: { [excluded]: '' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'paused in mid-drain and unpaused, by the Machine and by the Cluster', {
  thorough: true,
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [paused]: 'false' });
    await fleet.seconds(72);
    fleet.told.say('the Cluster is paused, too');
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { spec: { paused: true } });
    fleet.annotate('worker-1', { [paused]: null });
    await fleet.seconds(70);
    fleet.told.say('the Cluster goes on');
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { spec: { paused: false } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that a person has released stays without the hook', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { annotations: { 'phaseout.dev/released': '' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    await fleet.seconds(130);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a hook that others take off twice is left off', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.seconds(3);
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.seconds(200);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a hook that waits for ours while ours waits for it', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { annotations: { [`${preDrain}/last`]: 'somebody' } } });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(2_000);
    fleet.annotate('worker-1', { [`${preDrain}/last`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that has our hook is drained though it is not selected any more', {
  env: { PHASEOUT_BESIDE_SELECTOR: 'team=blue' },
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
