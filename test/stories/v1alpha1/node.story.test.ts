import { kubeconfigOf } from '../stage/carriage.ts';
import { whileNodesStay } from '../stage/plots.ts';
import { original } from '../stage/story.ts';
import type { OriginalFleet } from '../stage/v1alpha1.ts';

const { story } = original;
const group = 'v1alpha1/node';

const goes = async (fleet: OriginalFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a Node that is gone', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { node: null });
  },
  plot: goes,
});

story(group, 'a Machine that has no Node', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { status: { nodeRef: null } });
  },
  plot: goes,
});

story(group, 'a Node that is unreachable', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { node: { conditions: 'Unknown' } });
  },
  plot: goes,
});

story(group, 'a cluster without control plane Machines keeps its Nodes', {
  scene(fleet) {
    fleet.cluster('blue', 0);
    fleet.machineThatRuns('worker-1');
  },
  plot: goes,
});

story(group, 'the last control plane Machine leaves its Node', {
  thorough: true,
  scene(fleet) {
    fleet.cluster('blue', 1);
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    fleet.delete('blue-cp-1');
    await fleet.gone('blue-cp-1');
  },
});

story(group, 'of two control plane Machines that go one after the other the last leaves its Node', {
  scene: (fleet) => fleet.cluster('blue', 2),
  async plot(fleet) {
    fleet.delete('blue-cp-1');
    await fleet.gone('blue-cp-1');
    fleet.delete('blue-cp-2');
    await fleet.gone('blue-cp-2');
  },
});

story(group, 'a control plane Machine that is being deleted counts', {
  scene(fleet) {
    fleet.cluster('blue', 1);
    fleet.change('machines.cluster.k8s.io', 'blue-cp-1', { metadata: { finalizers: ['example.com/x'] } });
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    fleet.delete('blue-cp-1');
    await goes(fleet);
  },
});

story(group, 'a kubeconfig Secret that is missing leaves the Node', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
    fleet.server.cluster.remove('secrets', { metadata: { name: 'blue-kubeconfig', namespace: 'fleet' } });
  },
  plot: goes,
});

story(group, 'a kubeconfig Secret of another cluster', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
    const value = Buffer.from(kubeconfigOf('nowhere')).toString('base64');
    fleet.change('secrets', 'blue-kubeconfig', { data: { value } });
  },
  async plot(fleet) {
    const end = fleet.unreachable('nowhere');
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.told.say('the workload cluster can be reached');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that tells the zone of the server, as its Machine does not', {
  scene(fleet) {
    fleet.cluster();
    const node = { providerID: 'aws:///eu-1a/i-1' };
    fleet.machineThatRuns('worker-1', { spec: { providerID: 'aws:////i-1' }, node });
  },
  plot: goes,
});

story(group, 'a Node that cannot be deleted for a while', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  plot: whileNodesStay(300),
});

story(group, 'control plane Machines that cannot be counted for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1');
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, path }) =>
      verb === 'list' && path.endsWith('/namespaces/fleet/machines')
        ? { kind: 'answer', code: 500, message: 'etcdserver: leader changed' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.told.say('they can be counted');
    end();
    await fleet.gone('worker-1');
  },
});
