import { type BesideFleet, hook } from '../stage/beside/fleet.ts';
import { inMidDrain } from '../stage/beside/scenes.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/losses';
const hour = 3_600;

const everywhere = { tolerations: [{ operator: 'Exists' }] };

/** Somebody gives the Node new work. */
function uncordon(fleet: BesideFleet): void {
  fleet.told.say('somebody uncordons node-1, and Pods come');
  fleet.server.cluster.patch('nodes', { metadata: { name: 'node-1' } }, { spec: { unschedulable: null } });
  fleet.pods('new', 2, 'node-1', everywhere);
}

story(group, 'away for an hour in mid-drain', {
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.seconds(hour);
    fleet.told.say('phaseout is back');
    back();
    await fleet.gone('worker-1');
  },
});

story(group, 'away for an hour while a disk is waited for, and the Node has got new work', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data' });
  },
  without: ['volume-attachment'],
  async plot(fleet) {
    const detach = fleet.attach('data', 'node-1');
    fleet.delete('worker-1');
    await fleet.until('the disk is waited for', () => fleet.told.text().includes('WaitingForVolumeDetach'));
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.seconds(hour / 2);
    detach();
    uncordon(fleet);
    await fleet.seconds(hour / 2);
    fleet.told.say('phaseout is back');
    back();
    await fleet.gone('worker-1');
  },
});

story(group, 'away after the limit of the drain was over, and the Node has got new work', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 45 } } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', grace: 200, stopSeconds: 100 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(60);
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.seconds(hour);
    uncordon(fleet);
    fleet.told.say('phaseout is back');
    back();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine is deleted while phaseout is away', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.worker('worker-2');
    fleet.pods('web', 2, 'node-1');
    fleet.pod('api', 'node-2');
  },
  async plot(fleet) {
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.seconds(hour);
    fleet.told.say('phaseout is back');
    back();
    await fleet.gone('worker-1');
  },
});

story(group, 'phaseout goes for good, and somebody takes the hook off', {
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.seconds(hour);
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.gone('worker-1');
    back();
  },
});

story(group, 'from replace to beside, with a deletion in flight', {
  env: { PHASEOUT_MODE: 'replace' },
  peer: false,
  scene(fleet) {
    inMidDrain(fleet);
    fleet.server.cluster.patch(
      'machines.cluster.x-k8s.io',
      { metadata: { name: 'worker-1', namespace: 'fleet' } },
      { metadata: { annotations: { [hook]: null, 'phaseout.dev/registered': null } } },
    );
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('phaseout works beside the peer from now on, which is started');
    fleet.reinstall();
    fleet.startPeer();
    await fleet.gone('worker-1');
  },
});

story(group, 'from beside to replace, with a deletion in flight', {
  scene: inMidDrain,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('the peer is stopped, and phaseout takes its place');
    fleet.stopPeer();
    fleet.reinstall({ PHASEOUT_MODE: 'replace' });
    await fleet.gone('worker-1');
  },
});

story(group, 'from beside to replace, after the hand-over', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '90' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.released('worker-1');
    await fleet.seconds(5);
    fleet.told.say('the peer is stopped, and phaseout takes its place');
    fleet.stopPeer();
    fleet.reinstall({ PHASEOUT_MODE: 'replace' });
    await fleet.gone('worker-1');
  },
});
