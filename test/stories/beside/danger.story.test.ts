import type { BesideFleet } from '../stage/beside/fleet.ts';
import { hook } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/danger';

const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

const everywhere = { tolerations: [{ operator: 'Exists' }] };

/** In the very moment in which our hook goes, before the peer sees that. */
function asTheHookGoes(fleet: BesideFleet, happens: () => void): void {
  let wasHeld = false;
  fleet.server.cluster.watch(resources.machines, ({ object: { metadata } }) => {
    if (metadata.name !== 'worker-1') return;
    const isHeld = metadata.annotations?.[hook] !== undefined;
    if (wasHeld && !isHeld) happens();
    wasHeld = isHeld;
  });
}

story(group, "the peer's second look finds a Pod that came as the hook went", {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    asTheHookGoes(fleet, () => {
      fleet.told.say('a Pod comes that tolerates everything');
      fleet.pod('late', 'node-1', everywhere);
    });
    await goes(fleet);
  },
});

story(group, 'a Pod that comes while volumes are waited for', {
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
    fleet.told.say('a Pod comes that tolerates everything');
    fleet.pod('late', 'node-1', everywhere);
    detach();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that is excluded from its drain leaves its disk to the peer', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', grace: 200, stopSeconds: 100 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('its Pod goes', () => fleet.told.text().includes('evict: shop/database'));
    await fleet.seconds(15);
    fleet.annotate('worker-1', { 'machine.cluster.x-k8s.io/exclude-node-draining': '' });
    await fleet.gone('worker-1');
  },
});

story(group, 'a server that somebody deletes in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '90' } } });
    fleet.pod('stuck', 'node-1', { neverStops: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.deleteServer('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that somebody deletes in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('stuck', 'node-1', { neverStops: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'the hook cannot be taken off for a while, and Pods come meanwhile', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    const end = fleet.keepsHook();
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('somebody uncordons node-1, and a Pod comes');
    fleet.server.cluster.patch('nodes', { metadata: { name: 'node-1' } }, { spec: { unschedulable: null } });
    fleet.pod('late', 'node-1');
    await fleet.seconds(40);
    fleet.told.say('it is permitted again');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a workload cluster that cannot be reached for an hour in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 20 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.told.say('the workload cluster does not answer');
    const end = fleet.unreachable('blue');
    await fleet.seconds(3_600);
    fleet.told.say('it answers again');
    end();
    await fleet.gone('worker-1');
  },
});
