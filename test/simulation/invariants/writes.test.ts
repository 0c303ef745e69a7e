import { checkpoint, cordon, evict, nodeOf, save, takeFinalizer, writeCheckpoint } from './asked.ts';
import { testsOf } from './cases.ts';
import { finalizersOfOthers } from './finalizers.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import type { Stage } from './stage.ts';
import { uidIsNamed, versionIsNamed } from './uid-is-named.ts';
import { writesChangeSomething } from './writes-change-something.ts';

const paused = { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } };
const theirs = { metadata: { labels: { 'cluster.x-k8s.io/watch-filter': 'theirs' } } };

const cordoning = { op: 'add', path: '/spec/unschedulable', value: true };

function givenAway(stage: Stage): void {
  const { world } = stage;
  world.config = { ...world.config, watchFilter: 'ours' };
  stage.patchMachine(theirs);
}

testsOf([
  {
    about: 'a cordon for a Machine that is paused',
    invariant: pausedIsLeftAlone,
    cries: 'instance-1 cordons Node node-1 in blue: its Machine is to be left alone, it is paused',
    before: (stage) => stage.patchMachine(paused),
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'a checkpoint for a Machine whose Cluster is paused',
    invariant: pausedIsLeftAlone,
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m1: its Machine is to be left alone, its Cluster is paused',
    async act(stage) {
      const { management } = stage.world;
      const cluster = { metadata: { namespace: 'fleet', name: 'blue' } };
      management.patch('clusters.cluster.x-k8s.io', cluster, { spec: { paused: true } });
      await stage.pass(10);
      stage.look();
      save(stage, {});
    },
  },
  {
    about: 'a checkpoint for a Machine that was paused until its Cluster was, which was read before that',
    invariant: pausedIsLeftAlone,
    async act(stage) {
      const { management } = stage.world;
      stage.patchMachine(paused);
      await stage.pass(10);
      stage.look();
      await stage.pass(300);
      const cluster = { metadata: { namespace: 'fleet', name: 'blue' } };
      management.patch('clusters.cluster.x-k8s.io', cluster, { spec: { paused: true } });
      await stage.pass(10);
      stage.patchMachine({ metadata: { annotations: { 'cluster.x-k8s.io/paused': null } } });
      await stage.pass(10);
      save(stage, {});
    },
  },
  {
    about: 'a cordon for a Machine that was given to somebody else',
    invariant: pausedIsLeftAlone,
    cries:
      'instance-1 cordons Node node-1 in blue: its Machine is to be left alone, it is for whoever has the watch filter theirs',
    before: givenAway,
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'a cordon for a Machine of another label, where phaseout is there for all',
    invariant: pausedIsLeftAlone,
    before: (stage) => stage.patchMachine(theirs),
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'a Machine that nobody has paused',
    invariant: pausedIsLeftAlone,
    act(stage) {
      stage.look();
      save(stage, {});
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'an eviction without a UID',
    invariant: uidIsNamed,
    cries: 'instance-1 evicts Pod shop/a in blue: no UID is named',
    act: (stage) => stage.ask({ ...evict(stage.pod('a')), body: { deleteOptions: {} } }),
  },
  {
    about: 'an eviction with one',
    invariant: uidIsNamed,
    act: (stage) => stage.ask(evict(stage.pod('a'))),
  },
  {
    about: 'a cordon of a Node that is named by nothing but its name',
    invariant: uidIsNamed,
    cries: 'instance-1 cordons Node node-1 in blue: no UID is named',
    act: (stage) => stage.ask({ ...cordon(nodeOf(stage)), body: [cordoning] }),
  },
  {
    about: 'a cordon of the Node of a server',
    invariant: uidIsNamed,
    act(stage) {
      const test = { op: 'test', path: '/spec/providerID', value: 'x://m1' };
      stage.ask({ ...cordon(nodeOf(stage)), body: [test, cordoning] });
    },
  },
  {
    about: 'a finalizer that goes whatever the Machine has become',
    invariant: versionIsNamed,
    cries: 'instance-1 takes the finalizer off Machine fleet/m1: no version is named',
    act: (stage) => stage.ask(takeFinalizer(stage)),
  },
  {
    about: 'a finalizer that goes from the Machine as it was seen',
    invariant: versionIsNamed,
    act(stage) {
      const asked = takeFinalizer(stage);
      const value = stage.machine().metadata.resourceVersion;
      const test = { op: 'test', path: '/metadata/resourceVersion', value };
      stage.ask({ ...asked, body: [test, ...(Array.isArray(asked.body) ? asked.body : [])] });
    },
  },
  {
    about: 'a checkpoint of a Machine as it was seen',
    invariant: versionIsNamed,
    act: (stage) => save(stage, {}),
  },
  {
    about: 'a checkpoint for whatever the Machine has become',
    invariant: versionIsNamed,
    cries: 'instance-1 writes the checkpoint of Machine fleet/m1: no version is named',
    act(stage) {
      const asked = writeCheckpoint(stage, checkpoint(stage, {}), { resourceVersion: undefined });
      stage.ask(asked);
    },
  },
  {
    about: "somebody else's finalizer",
    invariant: finalizersOfOthers,
    cries:
      'instance-1 takes the finalizer off Machine fleet/m1: those of others were example.com/other, and are then none',
    act: (stage) => stage.ask(takeFinalizer(stage, 'example.com/other', 0)),
  },
  {
    about: 'finalizers that are written anew without a word of the version that was read',
    invariant: finalizersOfOthers,
    cries:
      'instance-1 puts the finalizer on Machine fleet/m1: those of others were example.com/other, and are then none',
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        body: { metadata: { finalizers: ['machine.cluster.x-k8s.io'] } },
      }),
  },
  {
    about: 'finalizers of an earlier version, which the server refuses',
    invariant: finalizersOfOthers,
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        body: { metadata: { finalizers: ['machine.cluster.x-k8s.io'], resourceVersion: '0' } },
      }),
  },
  {
    about: 'our own finalizer',
    invariant: finalizersOfOthers,
    act: (stage) => stage.ask(takeFinalizer(stage)),
  },
  {
    about: 'a cordon of a Node that is cordoned',
    invariant: writesChangeSomething,
    cries: 'instance-1 cordons Node node-1 in blue',
    before: (stage) =>
      void stage.world.cluster('blue').patch('nodes', nodeOf(stage), { spec: { unschedulable: true } }),
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'a checkpoint that is new',
    invariant: writesChangeSomething,
    act: (stage) => save(stage, {}),
  },
]);
