import { ourHook, ourName, ourSecondHook } from '../scenario/beside.ts';
import { cordon, evict, nodeOf, removeNode, save, takeFinalizer } from './asked.ts';
import { beside, register } from './asked-beside.ts';
import { testsOf } from './cases.ts';
import { inItsOwnStep } from './in-its-own-step.ts';
import { onlyKnownWrites } from './only-known-writes.ts';
import { onlyOfDeletedMachines, onlyTheRightCluster } from './only-what-is-ours.ts';
import type { Stage } from './stage.ts';

testsOf([
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
    about: 'the Node of the same name in another cluster',
    invariant: onlyTheRightCluster,
    cries: 'instance-1 cordons Node node-1: the UID that it names is that of Node node-1 in blue',
    act(stage) {
      const { management } = stage.world;
      management.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' }, spec: {} });
      stage.ask({ ...cordon(nodeOf(stage)), host: 'management' });
    },
  },
  {
    about: 'a Pod of another cluster, where none has its name',
    invariant: onlyTheRightCluster,
    cries: 'instance-1 evicts Pod shop/a: the UID that it names is that of Pod shop/a in blue',
    act: (stage) => stage.ask({ ...evict(stage.pod('a')), host: 'management' }),
  },
  {
    about: 'a Pod that has been made again since it was seen',
    invariant: onlyTheRightCluster,
    act: (stage) => stage.ask(evict(stage.pod('a'), 'of-an-earlier-one')),
  },
  {
    about: 'a Node for whose Machine the instance does nothing',
    invariant: inItsOwnStep,
    cries: "instance-1 cordons Node node-1 in blue: it is Machine fleet/m1's, and this is done in no step",
    act(stage) {
      stage.world.begin();
      const [instance] = stage.world.instances();
      stage.ask({ ...cordon(nodeOf(stage)), instance: instance?.name ?? '' });
    },
  },
]);

const first = { [ourHook]: ourName, 'phaseout.dev/registered': '1' };
const second = { [ourSecondHook]: ourName, 'phaseout.dev/registered-pre-terminate': '1' };
const secondOff = { [ourSecondHook]: null, 'phaseout.dev/registered-pre-terminate': null };

const writesOfHooks: readonly [about: string, annotations: object, cry?: string][] = [
  ['our hook on a Machine that lives', first],
  ['our hook before the end of a server', second],
  ['both of our hooks at once', { ...first, ...second }],
  ['our hook before the end of a server goes, as nothing asks for it', secondOff],
  [
    'our hook before the drain goes',
    { [ourHook]: null, 'phaseout.dev/registered': null },
    'writes the checkpoint of',
  ],
  [
    'a hook of ours without its count',
    { [ourSecondHook]: ourName, 'phaseout.dev/registered': '1' },
    'puts our hook on',
  ],
  ['a hook of ours a third time', { ...first, 'phaseout.dev/registered': '3' }, 'puts our hook on'],
  ['another annotation beside it', { ...first, a: 'b' }, 'puts our hook on'],
];

testsOf(
  writesOfHooks.map(([about, annotations, cry]) => {
    const sent = JSON.stringify({ metadata: { annotations } });
    return {
      about,
      invariant: onlyKnownWrites,
      ...(cry !== undefined && { cries: `instance-1 ${cry} Machine fleet/m2: what it sends is ${sent}` }),
      act: (stage: Stage) => {
        beside(stage);
        stage.ask(register('m2', annotations));
      },
    };
  }),
);
