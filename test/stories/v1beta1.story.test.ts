import type { Fleet } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'v1beta1';
const version = 'v1beta1';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x';

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a Machine of v1beta1 with a hook, orders and a volume', {
  version,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { annotations: { [preDrain]: '' } } });
    const pods = [{ selector: { matchLabels: { wave: 'late' } } }];
    fleet.rule('late', { drain: { behavior: 'Drain', order: 10 }, pods });
    fleet.pod('web', 'node-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', labels: { wave: 'late' }, order: 10 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.annotate('worker-1', { [preDrain]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'the timeouts of v1beta1', {
  version,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { nodeDrainTimeout: '1m0s', nodeVolumeDetachTimeout: '30.9s' } });
    fleet.volume('data');
    fleet.pod('stuck', 'node-1', { neverStops: true, claim: 'data' });
  },
  async plot(fleet) {
    fleet.fail(({ verb, resource }) =>
      verb === 'delete' && resource === 'nodes' ? { kind: 'answer', code: 403, message: 'deny' } : undefined,
    );
    await goes(fleet);
  },
});

story(group, 'a Node of v1beta1 that is found by its providerID', {
  version,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { status: { nodeRef: { name: '' } } });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a Machine of v1beta1 in a Cluster that is being deleted', {
  version,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { metadata: { finalizers: ['example.com/x'] } });
  },
  async plot(fleet) {
    fleet.server.cluster.remove('clusters.cluster.x-k8s.io', {
      metadata: { name: 'blue', namespace: 'fleet' },
    });
    await goes(fleet);
  },
});
