import { original } from '../stage/story.ts';
import { clusters, machines, type OriginalFleet } from '../stage/v1alpha1.ts';

const { story } = original;
const group = 'v1alpha1/deletion';

const goes = async (fleet: OriginalFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

function aWorkerWithPods(fleet: OriginalFleet): void {
  fleet.cluster();
  fleet.machineThatRuns('worker-1');
  // Nothing is drained: they stay where they are until their Node is gone.
  fleet.pods('web', 2, 'node-1', { stays: true });
}

story(group, 'a worker with Pods', { thorough: true, scene: aWorkerWithPods, plot: goes });

story(group, 'what other APIs know of means nothing here', {
  scene(fleet) {
    fleet.cluster();
    const annotations = {
      'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '',
      'pre-terminate.delete.hook.machine.cluster.x-k8s.io/b': '',
      'cluster.x-k8s.io/paused': '',
      'machine.openshift.io/exclude-node-draining': '',
    };
    const labels = { 'cluster.x-k8s.io/watch-filter': 'somebody' };
    fleet.machineThatRuns('worker-1', { metadata: { annotations, labels } });
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data', stays: true });
  },
  plot: goes,
});

story(group, 'finalizers of others', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { metadata: { finalizers: ['example.com/audit'] } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.told.say('the other finalizer goes');
    fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that Kubernetes holds because of what it owns', {
  without: ['garbage-collector'],
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.told.say('what it owned is gone');
    fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine without the label of a cluster', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { cluster: null });
  },
  plot: goes,
});

story(group, 'a Machine whose Cluster is missing, until it comes', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1', { stays: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.told.say('the Cluster comes');
    fleet.cluster();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine whose Cluster is being deleted', {
  scene(fleet) {
    aWorkerWithPods(fleet);
    fleet.change(clusters, 'blue', { metadata: { finalizers: ['example.com/x'] } });
  },
  async plot(fleet) {
    fleet.server.cluster.remove(clusters, { metadata: { name: 'blue', namespace: 'fleet' } });
    await goes(fleet);
  },
});

story(group, 'a Machine that comes again under the same name', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    await goes(fleet);
    fleet.told.say('somebody makes worker-1 anew');
    fleet.machineThatRuns('worker-1');
    await fleet.seconds(100);
  },
});

story(group, 'the Machine that phaseout runs on', {
  thorough: true,
  ownNode: 'node-1',
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
    fleet.machineThatRuns('worker-2');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.seconds(600);
  },
});

story(group, 'a Machine whose Node has the name of the one that phaseout runs on, and is another', {
  ownNode: 'node-1',
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', {
      status: { nodeRef: { kind: 'Node', name: 'node-1', uid: 'of-another-one' } },
    });
  },
  plot: goes,
});

story(group, 'the own Node cannot be read for a while', {
  ownNode: 'node-1',
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'get' && resource === 'nodes'
        ? { kind: 'answer', code: 500, message: 'etcdserver: leader changed' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.told.say('it can be read: phaseout runs there');
    end();
    await fleet.seconds(200);
  },
});
