import type { Advance } from '../../../shared/machine/messages.ts';
import { cordon, evict, nodeOf, removeNode } from './asked.ts';
import { machines } from './built-stage.ts';
import { testsOf } from './cases.ts';
import { nodesThatStay } from './nodes-that-stay.ts';
import type { Stage } from './stage.ts';

const invariant = nodesThatStay;
const why = 'its cluster goes, or has no control plane but it';

/** Longer ago than anybody may believe otherwise. */
async function longAgo(stage: Stage, change: (stage: Stage) => void): Promise<void> {
  change(stage);
  await stage.pass(10_000);
  stage.look();
}

function deleteCluster({ world: { management } }: Stage): void {
  const cluster = { metadata: { namespace: 'fleet', name: 'blue' } };
  const metadata = { finalizers: ['cluster.cluster.x-k8s.io'] };
  management.patch('clusters.cluster.x-k8s.io', cluster, { metadata });
  management.remove('clusters.cluster.x-k8s.io', cluster);
}

const addMember = (stage: Stage): void =>
  void stage.world.management.create(machines, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      namespace: 'fleet',
      name: 'cp-2',
      labels: { 'cluster.x-k8s.io/cluster-name': 'blue', 'cluster.x-k8s.io/control-plane': '' },
    },
    spec: stage.machine()['spec'],
  });

const deleteMember = ({ world: { management } }: Stage): void =>
  management.remove(machines, { metadata: { namespace: 'fleet', name: 'cp' } });

/** An instance begins a step, and reads the Machine and its Cluster only then: members were read for another Machine. */
async function stepAfter(stage: Stage, milliseconds: number): Promise<void> {
  stage.world.begin();
  const [instance] = stage.world.instances();
  const { uid = '' } = stage.machine().metadata;
  await stage.pass(20_000);
  deleteMember(stage);
  await stage.pass(milliseconds);
  const step: Advance = {
    machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name: 'm1', uid },
    phase: 'drain',
    seq: 1,
  };
  Object.assign(instance!, { steps: () => [step] });
  stage.look();
  await stage.pass(10);
}

testsOf([
  {
    about: 'members may have been read for another Machine a moment before the step',
    invariant,
    act: (stage) => stepAfter(stage, 5_000).then(() => stage.ask(cordon(nodeOf(stage)))),
  },
  {
    about: 'members may not have been read for another Machine long before the step',
    invariant,
    act: (stage) => stepAfter(stage, 7_000).then(() => stage.ask(cordon(nodeOf(stage)))),
    cries: `instance-1 cordons Node node-1 in blue: ${why}`,
  },
  {
    about: 'the Node of a cluster that stays is deleted',
    invariant,
    act: (stage) => longAgo(stage, () => undefined).then(() => stage.ask(removeNode(nodeOf(stage)))),
  },
  {
    about: 'the Node of a cluster that goes is deleted',
    invariant,
    act: (stage) => longAgo(stage, deleteCluster).then(() => stage.ask(removeNode(nodeOf(stage)))),
    cries: `instance-1 deletes Node node-1 in blue: ${why}`,
  },
  {
    about: 'the Node is cordoned when the last of the control plane goes',
    invariant,
    act: (stage) => longAgo(stage, deleteMember).then(() => stage.ask(cordon(nodeOf(stage)))),
    cries: `instance-1 cordons Node node-1 in blue: ${why}`,
  },
  {
    about: 'a Pod is evicted from the Node of a cluster that goes',
    invariant,
    act: (stage) => longAgo(stage, deleteCluster).then(() => stage.ask(evict(stage.pod('a')))),
    cries: `instance-1 evicts Pod shop/a in blue: ${why}`,
  },
  {
    about: 'the cluster was read before it went, and its control plane after somebody had joined it again',
    invariant,
    async act(stage) {
      await longAgo(stage, deleteMember);
      deleteCluster(stage);
      await stage.pass(10);
      addMember(stage);
      await stage.pass(10);
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: 'the cluster goes right before, and nobody can know',
    invariant,
    act(stage) {
      stage.look();
      deleteCluster(stage);
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
]);
