import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { besidePeer } from '../stage/story.ts';

// A Machine names the Node of another one, or a Node whose owner is unproven. Its own controller would go by the name.

const { story } = besidePeer;
const group = 'beside/others-node';
const excluded = { 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
const hour = 3_600;

/** worker-1 names node-2, which is that of worker-2. */
function twoOnOneNode(fleet: BesideFleet, annotations: Record<string, string> = {}): void {
  fleet.cluster();
  fleet.held('worker-1', {
    node: null,
    metadata: { annotations },
    spec: { providerID: 'peer://worker-1', deletion: { nodeDrainTimeoutSeconds: 60 } },
    status: { nodeRef: { name: 'node-2' } },
  });
  fleet.held('worker-2', { spec: { providerID: 'peer://worker-2' } });
  fleet.pods('web', 2, 'node-2');
}

async function isHeldForAnHour(fleet: BesideFleet): Promise<void> {
  fleet.delete('worker-1');
  await fleet.seconds(hour);
  if (!fleet.isHeld('worker-1')) throw new Error('worker-1 has lost our hook');
}

function takeNodeRefOff(fleet: BesideFleet): void {
  fleet.told.say('somebody takes the nodeRef off');
  fleet.change(resources.machines, 'worker-1', { status: { nodeRef: null } }, 'status');
}

story(group, "another server's is held, whatever the time limit, until its nodeRef is taken off", {
  scene: twoOnOneNode,
  async plot(fleet) {
    await isHeldForAnHour(fleet);
    takeNodeRefOff(fleet);
    await fleet.gone('worker-1');
  },
});

story(group, "another server's is held where it is excluded from drains, too", {
  scene: (fleet) => twoOnOneNode(fleet, excluded),
  async plot(fleet) {
    await isHeldForAnHour(fleet);
    takeNodeRefOff(fleet);
    await fleet.gone('worker-1');
  },
});

story(group, 'of which nothing proves whose it is, until its providerID is corrected', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { spec: { providerID: 'peer://changed' } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    await isHeldForAnHour(fleet);
    fleet.told.say('somebody corrects the providerID');
    fleet.change(resources.machines, 'worker-1', { spec: { providerID: 'peer://worker-1' } });
    await fleet.gone('worker-1');
  },
});

story(group, "another server's ends with the Cluster", {
  scene: twoOnOneNode,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the Cluster is deleted');
    fleet.change(resources.clusters, 'blue', { metadata: { finalizers: ['example.com/held'] } });
    fleet.server.cluster.remove(resources.clusters, { metadata: { namespace: 'fleet', name: 'blue' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a deletion that began without our hook is told of at once', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      node: null,
      spec: { providerID: 'peer://worker-1' },
      status: { nodeRef: { name: 'node-2' } },
    });
    fleet.held('worker-2', { spec: { providerID: 'peer://worker-2' } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'the hook watchdog lets go where phaseout is gone', {
  env: alive,
  scene: twoOnOneNode,
  async plot(fleet) {
    fleet.startDeadMan();
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('phaseout is away');
    const back = fleet.away();
    await fleet.gone('worker-1');
    back();
  },
});
