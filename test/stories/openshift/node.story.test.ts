import { whileNodesStay } from '../stage/plots.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/node';
const stops = (seconds: number) => ({ annotations: { 'local.phaseout.dev/stop-seconds': String(seconds) } });

story(group, 'a Node that cannot be deleted for a long time', {
  thorough: true,
  scene: (fleet) => fleet.machineThatRuns('worker-1', { spec: { nodeDeletionTimeoutSeconds: 10 } }),
  plot: whileNodesStay(900),
});

story(group, 'a Node that somebody else holds on to', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    const finalizers = ['example.com/x'];
    fleet.server.cluster.patch('nodes', { metadata: { name: 'node-1' } }, { metadata: { finalizers } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    fleet.told.say('they let it go');
    fleet.server.cluster.patch('nodes', { metadata: { name: 'node-1' } }, { metadata: { finalizers: null } });
  },
});

story(group, 'a Node that was found by its address, and has another providerID', {
  scene: (fleet) =>
    fleet.machineThatRuns('worker-1', {
      metadata: { annotations: { 'machine.openshift.io/exclude-node-draining': '' } },
      spec: { providerID: 'openstack:///f1a4' },
      node: { providerID: 'openstack://region-1/f1a4' },
    }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that goes by itself while the server stops', {
  scene: (fleet) => fleet.machineThatRuns('worker-1', { metadata: stops(40) }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('node-1 goes');
    fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that has come again under the same name', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: stops(40) });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('the server stops', () => fleet.serverState('worker-1') === 'stopping');
    fleet.told.say('node-1 leaves, and a new server registers as node-1');
    fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
    fleet.node('node-1', { providerID: 'local:///another' });
    await fleet.gone('worker-1');
  },
});

story(group, 'an API that does not answer for a while', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 10 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(5);
    fleet.told.say('the API does not answer');
    const end = fleet.fail(() => ({ kind: 'silent' }));
    await fleet.seconds(120);
    fleet.told.say('it answers again');
    end();
    await fleet.gone('worker-1');
  },
});
