import { cordon, evict, nodeOf, removeNode, save, takeFinalizer } from './asked.ts';
import { finalizersOfOthers } from './finalizers.ts';
import { onlyKnownWrites } from './only-known-writes.ts';
import { onlyOfDeletedMachines, onlyTheRightCluster } from './only-what-is-ours.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { uidIsNamed } from './uid-is-named.ts';
import { writesChangeSomething } from './writes-change-something.ts';
import { testsOf } from './cases.ts';

const paused = { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } };

testsOf([
  {
    about: 'a cordon for a Machine that is paused',
    invariant: pausedIsLeftAlone,
    cries: 'instance-1 cordons Node node-1 in blue: its Machine is to be left alone, it is paused',
    async act(stage) {
      stage.patchMachine(paused);
      await stage.pass(10);
      stage.look();
      stage.ask(cordon(nodeOf(stage)));
    },
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
    about: 'a label on a Machine',
    invariant: onlyKnownWrites,
    cries: 'instance-1 writes into Machine fleet/m1: what it sends is {"metadata":{"labels":{"a":"b"}}}',
    act: (stage) => stage.ask({ ...takeFinalizer(stage), body: { metadata: { labels: { a: 'b' } } } }),
  },
  {
    about: 'a late checkpoint of a Machine in whose place another one lives by now',
    invariant: onlyKnownWrites,
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        name: 'm2',
        body: { metadata: { uid: 'of-an-earlier-one', annotations: { 'phaseout.dev/checkpoint': '' } } },
      }),
  },
  {
    about: 'a late finalizer of a Machine that is being deleted by now',
    invariant: onlyKnownWrites,
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        body: { metadata: { resourceVersion: 'an-older-one', finalizers: ['machine.cluster.x-k8s.io'] } },
      }),
  },
  {
    about: 'labels, by a late write',
    invariant: onlyKnownWrites,
    cries:
      'instance-1 writes into Machine fleet/m1: what it sends is {"metadata":{"resourceVersion":"an-older-one","labels":{"a":"b"}}}',
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        body: { metadata: { resourceVersion: 'an-older-one', labels: { a: 'b' } } },
      }),
  },
  {
    about: 'a checkpoint on a Machine that lives',
    invariant: onlyKnownWrites,
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m2: what it sends is {"metadata":{"annotations":{"phaseout.dev/checkpoint":""}}}',
    act: (stage) =>
      stage.ask({
        ...takeFinalizer(stage),
        name: 'm2',
        body: { metadata: { annotations: { 'phaseout.dev/checkpoint': '' } } },
      }),
  },
  {
    about: 'a Pod that is deleted and not evicted',
    invariant: onlyKnownWrites,
    cries: 'instance-1 deletes Pod shop/a in blue: what it sends is {"preconditions":{"uid":"a"}}',
    act: (stage) =>
      stage.ask({
        host: 'blue',
        verb: 'delete',
        resource: 'pods',
        namespace: 'shop',
        name: 'a',
        body: { preconditions: { uid: 'a' } },
      }),
  },
  {
    about: 'checkpoint, cordon, eviction and the end of the Node',
    invariant: onlyKnownWrites,
    act(stage) {
      save(stage, {});
      stage.ask(cordon(nodeOf(stage)));
      stage.ask(evict(stage.pod('a')));
      stage.ask(removeNode(nodeOf(stage)));
      stage.ask(takeFinalizer(stage));
    },
  },
  {
    about: 'the Node of a Machine that lives',
    invariant: onlyOfDeletedMachines,
    cries: 'instance-1 cordons Node node-2 in blue: Machine fleet/m2 lives',
    act: (stage) => stage.ask(cordon(nodeOf(stage, 'node-2'))),
  },
  {
    about: 'a Node that no Machine has',
    invariant: onlyOfDeletedMachines,
    cries: 'instance-1 cordons Node node-3 in blue: it belongs to no Machine',
    act: (stage) =>
      stage.ask(cordon(stage.world.cluster('blue').create('nodes', { metadata: { name: 'node-3' } }))),
  },
  {
    about: 'the Node of a Machine that is being deleted',
    invariant: onlyOfDeletedMachines,
    act: (stage) => stage.ask(cordon(nodeOf(stage))),
  },
  {
    about: 'a Machine of another cluster',
    invariant: onlyTheRightCluster,
    cries:
      'instance-1 takes the finalizer off Machine fleet/m1 in blue: this is written where Machines are, and nowhere else',
    act: (stage) => stage.ask({ ...takeFinalizer(stage), host: 'blue' }),
  },
  {
    about: 'the right clusters',
    invariant: onlyTheRightCluster,
    act(stage) {
      stage.ask(takeFinalizer(stage));
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'a cordon of a Node that is cordoned',
    invariant: writesChangeSomething,
    cries: 'instance-1 cordons Node node-1 in blue',
    async act(stage) {
      stage.world.cluster('blue').patch('nodes', nodeOf(stage), { spec: { unschedulable: true } });
      await stage.pass(10);
      stage.look();
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'a checkpoint that is new',
    invariant: writesChangeSomething,
    act: (stage) => save(stage, {}),
  },
]);
