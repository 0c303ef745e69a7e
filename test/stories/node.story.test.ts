import type { Fleet } from './stage/fleet.ts';
import { whileNodesStay } from './stage/plots.ts';
import { story } from './stage/story.ts';

const group = 'node';

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a Node that is gone', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { node: null });
  },
  plot: goes,
});

story(group, 'a Machine that never had a Node', {
  scene(fleet) {
    fleet.cluster();
    const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/ignored': '' };
    fleet.worker('worker-1', {
      node: null,
      spec: { providerID: null },
      metadata: { annotations: hook },
      status: { nodeRef: null, nodeInfo: null },
    });
  },
  plot: goes,
});

story(group, 'a Node that is found by its providerID', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { status: { nodeRef: null } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'a Node that cannot be deleted, until that takes too long', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
  },
  async plot(fleet) {
    fleet.fail(({ verb, resource }) =>
      verb === 'delete' && resource === 'nodes'
        ? { kind: 'answer', code: 403, message: 'nodes "node-1" is forbidden: deny' }
        : undefined,
    );
    await goes(fleet);
  },
});

story(group, 'a Node that cannot be deleted for a while, without a timeout', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: null } });
  },
  plot: whileNodesStay(100, { code: 500, message: 'etcdserver: leader changed' }),
});

story(group, 'a Node that somebody else holds on to', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeDeletionTimeoutSeconds: 60 } } });
    fleet.server.cluster.patch(
      ...([
        'nodes',
        { metadata: { name: 'node-1' } },
        { metadata: { finalizers: ['example.com/x'] } },
      ] as const),
    );
  },
  plot: goes,
});

story(group, 'a Node that has come again under the same name', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '60' } },
    });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until('the infrastructure goes', () => fleet.isInfrastructureGoing('worker-1'));
    fleet.told.say('node-1 leaves, and a new server registers as node-1');
    fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
    fleet.node('node-1', { providerID: 'peer://another' });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that comes back before the drain is over', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('stuck', 'node-1', { neverStops: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(130);
    fleet.told.say('node-1 is deleted with its Pods');
    fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
    await fleet.gone('worker-1');
  },
});
