import { ApiError } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { textAt } from '../../../shared/dialects/fields.ts';
import { machines, type OpenShiftFleet } from '../stage/openshift.ts';
import { openShift } from '../stage/story.ts';
import { watching } from '../stage/watching.ts';

const { story } = openShift;
const group = 'observe/openshift';

function aWorkerBehindABudget(fleet: OpenShiftFleet): void {
  fleet.machineThatRuns('worker-1');
  fleet.replicas('web', 2, 'node-1');
  fleet.pod('cache', 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
}

/** The drain controller's pass: it shows nothing while it is refused. */
function drains(fleet: OpenShiftFleet): void {
  const { cluster } = fleet.server;
  cluster.patch('nodes', { metadata: { name: 'node-1' } }, { spec: { unschedulable: true } });
  for (const pod of cluster.list('pods')) {
    if (textAt(pod, 'spec', 'nodeName') !== 'node-1') continue;
    try {
      cluster.evict(pod);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

function says(fleet: OpenShiftFleet, message: string): void {
  fleet.told.say(`its controller says: ${message}`);
  const lastTransitionTime = new Date(fleet.clock.now()).toISOString();
  const conditions = [{ type: 'Drained', status: 'True', message, lastTransitionTime }];
  fleet.change(machines, 'worker-1', { status: { phase: 'Deleting', conditions } }, 'status');
}

async function ends(fleet: OpenShiftFleet): Promise<void> {
  await fleet.seconds(30);
  fleet.server.cluster.remove('nodes', { metadata: { name: 'node-1' } });
  fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
  await fleet.gone('worker-1');
  await fleet.seconds(25);
}

story(group, 'a budget that blocks for a while', {
  ...watching,
  thorough: true,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    drains(fleet);
    await fleet.seconds(100);
    fleet.told.say('somebody takes the budget away');
    fleet.server.cluster.remove('poddisruptionbudgets.policy', {
      metadata: { name: 'web', namespace: 'shop' },
    });
    drains(fleet);
    await fleet.seconds(30);
    says(fleet, 'Drain finished successfully');
    await ends(fleet);
  },
});

story(group, 'a drain that somebody gives up', {
  ...watching,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { 'machine.openshift.io/exclude-node-draining': '' });
    says(fleet, 'Node drain skipped');
    await ends(fleet);
  },
});

story(group, 'the hook of the operator of etcd', {
  ...watching,
  scene(fleet) {
    fleet.controlPlane();
    const preDrain = [{ name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' }];
    fleet.machineThatRuns('worker-1', { preDrain });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.setHooks('worker-1', 'preDrain', []);
    await fleet.seconds(25);
    says(fleet, 'Drain finished successfully');
    await ends(fleet);
  },
});
