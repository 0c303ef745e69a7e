import { beside, handOver, reach } from './asked-beside.ts';
import { testsOf } from './cases.ts';
import { exclusionsHaveCauses } from './exclusions-have-causes.ts';
import { handOverIsDue } from './hand-over-is-due.ts';
import { limitsAreSpentOnce } from './limits-are-spent-once.ts';
import type { Stage } from './stage.ts';

const done = { drain: 'done', 'volume-detach': 'done' };
const late = { drain: 'timed-out', 'volume-detach': 'timed-out' };
const hands = 'instance-1 hands over Machine fleet/m1:';
const clusters = 'clusters.cluster.x-k8s.io';

function cluster({ world: { management } }: Stage, spec: object): void {
  management.patch(clusters, { metadata: { namespace: 'fleet', name: 'blue' } }, spec);
}

function ofAnother(stage: Stage): void {
  stage.patchMachine({ spec: { providerID: 'x://m1' } });
  const node = { metadata: { name: 'node-1' } };
  stage.world.cluster('blue').patch('nodes', node, { spec: { providerID: 'x://other' } });
}

const endCluster = (stage: Stage): void => {
  cluster(stage, { metadata: { finalizers: ['example.com/held'] } });
  stage.world.management.remove(clusters, { metadata: { namespace: 'fleet', name: 'blue' } });
};

const excludeDrain = (stage: Stage): void =>
  stage.patchMachine({ metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } } });

const completed = (stage: Stage): void =>
  void stage.pod('done', {
    metadata: { labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } },
    status: { phase: 'Succeeded' },
  });

/** It stands there for so long. */
async function handsOverAfter(
  stage: Stage,
  seconds: number,
  how?: Parameters<typeof handOver>[1],
): Promise<void> {
  await stage.pass(seconds * 1_000);
  stage.look();
  handOver(stage, how);
}

testsOf([
  {
    about: 'drain and volumes are passed',
    invariant: handOverIsDue,
    before: (stage) => reach(stage, done),
    act: (stage) => handOver(stage),
  },
  {
    about: 'a drain is under way',
    invariant: handOverIsDue,
    before: (stage) => beside(stage),
    act: (stage) => handOver(stage, { passed: {} }),
    cries: `${hands} its checkpoint does not say how these were passed: drain, volume-detach`,
  },
  {
    about: 'volumes are waited for',
    invariant: handOverIsDue,
    before: (stage) => reach(stage, { drain: 'done' }),
    act: (stage) => handOver(stage, { passed: { drain: 'done' } }),
    cries: `${hands} its checkpoint does not say how these were passed: volume-detach`,
  },
  {
    about: 'a Pod that must go is on the Node for long',
    invariant: handOverIsDue,
    before(stage) {
      reach(stage, done);
      stage.pod('late');
    },
    act: (stage) => handsOverAfter(stage, 30),
    cries: `${hands} these Pods are on its Node: shop/late`,
  },
  {
    about: 'a Pod has just come',
    invariant: handOverIsDue,
    before(stage) {
      reach(stage, done);
      stage.pod('late');
    },
    act: (stage) => handsOverAfter(stage, 2),
  },
  {
    about: "the Node that it names is another server's for long, though it is passed",
    invariant: handOverIsDue,
    before(stage) {
      reach(stage, done);
      ofAnother(stage);
    },
    act: (stage) => handsOverAfter(stage, 700),
    cries: `${hands} the Node that it names is not known to be its own`,
  },
  {
    about: "the Node that it names has just become another server's",
    invariant: handOverIsDue,
    before: (stage) => reach(stage, done),
    act(stage) {
      ofAnother(stage);
      handOver(stage);
    },
  },
  {
    about: "the Node that it names is another server's for long, and the Cluster goes",
    invariant: handOverIsDue,
    before(stage) {
      beside(stage);
      ofAnother(stage);
      endCluster(stage);
    },
    act: (stage) => handsOverAfter(stage, 700),
  },
  {
    about: 'the Cluster goes',
    invariant: handOverIsDue,
    before(stage) {
      beside(stage);
      endCluster(stage);
    },
    act: (stage) => handOver(stage),
  },
  {
    about: 'it is excluded from drains, and left alone for that',
    invariant: handOverIsDue,
    before(stage) {
      beside(stage);
      excludeDrain(stage);
    },
    act: (stage) => handOver(stage),
  },
  {
    about: 'it is excluded from drains, and drained all the same',
    invariant: handOverIsDue,
    before(stage) {
      beside(stage, { besideExcluded: 'drain' });
      excludeDrain(stage);
    },
    act: (stage) => handOver(stage, { passed: {} }),
    cries: `${hands} its checkpoint does not say how these were passed: drain, volume-detach`,
  },
  {
    about: 'the drain was given up, has long had more time since, and a Pod is left',
    invariant: exclusionsHaveCauses,
    async before(stage) {
      reach(stage, late);
      stage.pod('needed');
      stage.patchMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: 300 } } });
      await stage.pass();
    },
    act: (stage) => handsOverAfter(stage, 30, { excluded: ['drain'], passed: late }),
    cries: `${hands} drain is excluded, and nothing makes it so`,
  },
  {
    about: 'the drain was given up, has long had more time since, and no Pod is left',
    invariant: exclusionsHaveCauses,
    async before(stage) {
      reach(stage, late);
      stage.patchMachine({ spec: { deletion: { nodeDrainTimeoutSeconds: 300 } } });
      await stage.pass();
    },
    act: (stage) => handsOverAfter(stage, 30, { excluded: ['drain'], passed: late }),
  },
  {
    about: 'a completed Pod was seen, and another has been on the Node since for long',
    invariant: exclusionsHaveCauses,
    async before(stage) {
      reach(stage, done);
      completed(stage);
      await stage.pass();
      stage.look();
      stage.pod('late');
      await stage.pass(12_000);
    },
    act: (stage) => handOver(stage, { excluded: ['drain'] }),
    cries: `${hands} drain is excluded, and nothing makes it so`,
  },
  {
    about: 'nothing is excluded',
    invariant: exclusionsHaveCauses,
    before: (stage) => reach(stage, done),
    act: (stage) => handOver(stage),
  },
  {
    about: 'the drain is done',
    invariant: exclusionsHaveCauses,
    before: (stage) => reach(stage, done),
    act: (stage) => handOver(stage, { excluded: ['drain'] }),
    cries: `${hands} drain is excluded, and nothing makes it so`,
  },
  {
    about: 'the time of the drain is over',
    invariant: exclusionsHaveCauses,
    before: (stage) => reach(stage, late),
    act: (stage) => handOver(stage, { excluded: ['drain'], passed: late }),
  },
  {
    about: 'volumes have no time limit any more',
    invariant: exclusionsHaveCauses,
    before: (stage) => reach(stage, late),
    act: (stage) => handOver(stage, { excluded: ['drain', 'volume-detach'], passed: late }),
    cries: `${hands} volume-detach is excluded, and nothing makes it so`,
  },
  {
    about: 'a completed Pod is left that Cluster API waits for',
    invariant: exclusionsHaveCauses,
    before(stage) {
      reach(stage, done);
      completed(stage);
    },
    act: (stage) => handOver(stage, { excluded: ['drain'] }),
  },
  {
    about: 'another Pod is left beside it',
    invariant: exclusionsHaveCauses,
    before(stage) {
      reach(stage, done);
      completed(stage);
      stage.pod('web');
    },
    act: (stage) => handOver(stage, { excluded: ['drain'] }),
    cries: `${hands} drain is excluded, and nothing makes it so`,
  },
  {
    about: 'the time of the drain is over, and nothing is excluded',
    invariant: limitsAreSpentOnce,
    before: (stage) => reach(stage, late),
    act: (stage) => handOver(stage, { passed: late }),
    cries: `${hands} the time for drain is over, and is spent once more`,
  },
  {
    about: 'the time of the drain is over, and it is excluded',
    invariant: limitsAreSpentOnce,
    before: (stage) => reach(stage, late),
    act: (stage) => handOver(stage, { excluded: ['drain', 'volume-detach'], passed: late }),
  },
  {
    about: 'a completed Pod is waited for once more',
    invariant: limitsAreSpentOnce,
    before(stage) {
      reach(stage, done);
      completed(stage);
    },
    act: (stage) => handsOverAfter(stage, 30),
    cries: `${hands} these Pods are waited for: shop/done`,
  },
  {
    about: 'a completed Pod has just come',
    invariant: limitsAreSpentOnce,
    before(stage) {
      reach(stage, done);
      completed(stage);
    },
    act: (stage) => handOver(stage),
  },
  {
    about: 'its Cluster goes, and nothing is waited for',
    invariant: limitsAreSpentOnce,
    before(stage) {
      reach(stage, late);
      endCluster(stage);
    },
    act: (stage) => handOver(stage, { passed: late }),
  },
]);
