import { describe, expect, test } from 'vitest';
import { cordonFirst } from './cordon-first.ts';
import { cordon, evict, nodeOf, removeInfrastructure, removeNode, save, takeFinalizer } from './asked.ts';
import { evictedOnce } from './evicted-once.ts';
import { finalizerGoesLast, finalizersOfOthers } from './finalizers.ts';
import { hooksHold } from './hooks-hold.ts';
import { infrastructureAfterDrain } from './infrastructure-after-drain.ts';
import type { Invariant } from './invariant.ts';
import { knowledgeIsFresh } from './knowledge-is-fresh.ts';
import { lowerOrdersFirst } from './lower-orders-first.ts';
import { nodeComesLast } from './node-comes-last.ts';
import { onlyKnownWrites, onlyOfDeletedMachines, onlyTheRightCluster } from './only-what-is-ours.ts';
import { pausedIsLeftAlone } from './paused-is-left-alone.ts';
import { podsThatStay } from './pods-that-stay.ts';
import { openStage, type Stage } from './stage.ts';
import { uidIsNamed } from './uid-is-named.ts';
import { writesChangeSomething } from './writes-change-something.ts';

interface Case {
  about: string;
  invariant: Invariant;
  /** What it cries; nothing where all is well. */
  cries?: string;
  act: (stage: Stage) => void | Promise<void>;
}

const preDrain = { metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '' } } };
const preTerminate = {
  metadata: { annotations: { 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '' } },
};
const paused = { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } };
const drained = { drain: 'done', 'volume-detach': 'done' };
const over = { ...drained, infrastructure: 'done' };

async function rule(
  stage: Stage,
  name: string,
  drain: object,
  labels: Record<string, string>,
): Promise<void> {
  stage.world.management.create('machinedrainrules.cluster.x-k8s.io', {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDrainRule',
    metadata: { namespace: 'fleet', name },
    spec: { drain, pods: [{ selector: { matchLabels: labels } }] },
  });
  await stage.pass();
}

const cases: Case[] = [
  {
    about: 'an eviction while a pre-drain hook is there',
    invariant: hooksHold,
    cries:
      'instance-1 evicts Pod shop/a in blue: hooks hold it: pre-drain.delete.hook.machine.cluster.x-k8s.io/a',
    async act(stage) {
      stage.patchMachine(preDrain);
      await stage.pass(10);
      stage.look();
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'an eviction while a pre-terminate hook is there',
    invariant: hooksHold,
    async act(stage) {
      stage.patchMachine(preTerminate);
      await stage.pass(10);
      stage.look();
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'a hook that came after the instance had looked',
    invariant: hooksHold,
    async act(stage) {
      stage.look();
      await stage.pass(10);
      stage.patchMachine(preDrain);
      await stage.pass();
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'the end of the infrastructure while a pre-terminate hook is there',
    invariant: hooksHold,
    cries:
      'instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): hooks hold it: pre-terminate.delete.hook.machine.cluster.x-k8s.io/a',
    async act(stage) {
      stage.patchMachine(preTerminate);
      await stage.pass(10);
      stage.look();
      stage.ask(removeInfrastructure(stage));
    },
  },
  {
    about: 'what the server has refused because the object is another one by now',
    invariant: hooksHold,
    async act(stage) {
      stage.patchMachine(preDrain);
      await stage.pass(10);
      stage.look();
      stage.ask(evict(stage.pod('a')), () => undefined, 409);
    },
  },
  {
    about: 'a cordon for a Machine that is paused',
    invariant: pausedIsLeftAlone,
    cries: 'instance-1 cordons Node node-1 in blue: its Machine is to be left alone',
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
    cries: 'instance-1 writes the checkpoint of Machine fleet/m1: its Machine is to be left alone',
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
    about: 'infrastructure whose volumes nobody has looked at',
    invariant: infrastructureAfterDrain,
    cries:
      'instance-1 deletes the infrastructure fleet/m1 (genericinfrastructuremachines.infrastructure.cluster.x-k8s.io): its checkpoint does not say how these were passed: volume-detach',
    async act(stage) {
      save(stage, { phase: 'infrastructure', passed: { drain: 'done' } });
      await stage.pass(10);
      stage.look();
      stage.ask(removeInfrastructure(stage));
    },
  },
  {
    about: 'infrastructure after drain and volumes',
    invariant: infrastructureAfterDrain,
    async act(stage) {
      save(stage, { phase: 'infrastructure', passed: { drain: 'timed-out', 'volume-detach': 'excluded' } });
      await stage.pass(10);
      stage.look();
      stage.ask(removeInfrastructure(stage));
    },
  },
  {
    about: 'a Pod of order 5 beside one of order 0',
    invariant: lowerOrdersFirst,
    cries: 'instance-1 evicts Pod shop/late in blue: before it these have to go: early',
    async act(stage) {
      await rule(stage, 'late', { behavior: 'Drain', order: 5 }, { app: 'late' });
      stage.pod('early');
      const late = stage.pod('late', { metadata: { labels: { app: 'late' } } });
      await stage.pass(10);
      stage.look();
      stage.ask(evict(late));
    },
  },
  {
    about: 'a Pod of order 0 beside one of order 5, and one that stays',
    invariant: lowerOrdersFirst,
    async act(stage) {
      await rule(stage, 'late', { behavior: 'Drain', order: 5 }, { app: 'late' });
      const early = stage.pod('early');
      stage.pod('late', { metadata: { labels: { app: 'late' } } });
      stage.pod('stays', { metadata: { labels: { 'cluster.x-k8s.io/drain': 'skip' } } });
      await stage.pass(10);
      stage.look();
      stage.ask(evict(early));
    },
  },
  {
    about: 'a mirror Pod',
    invariant: podsThatStay,
    cries: 'instance-1 evicts Pod shop/static in blue: this Pod is none to be evicted',
    async act(stage) {
      const pod = stage.pod('static', { metadata: { annotations: { 'kubernetes.io/config.mirror': '' } } });
      await stage.pass(10);
      stage.look();
      stage.ask(evict(pod));
    },
  },
  {
    about: 'a Pod that a rule skips',
    invariant: podsThatStay,
    cries: 'instance-1 evicts Pod shop/kept in blue: this Pod is none to be evicted',
    async act(stage) {
      await rule(stage, 'kept', { behavior: 'Skip' }, { app: 'kept' });
      const pod = stage.pod('kept', { metadata: { labels: { app: 'kept' } } });
      await stage.pass(20_000);
      stage.look();
      stage.ask(evict(pod));
    },
  },
  {
    about: 'a Pod that a rule skips since a second, of which nobody has heard yet',
    invariant: podsThatStay,
    async act(stage) {
      const pod = stage.pod('kept', { metadata: { labels: { app: 'kept' } } });
      stage.look();
      await stage.pass(10);
      await rule(stage, 'kept', { behavior: 'Skip' }, { app: 'kept' });
      await stage.pass(1_000);
      stage.ask(evict(pod));
    },
  },
  {
    about: 'a Pod that is waited for',
    invariant: podsThatStay,
    cries: 'instance-1 evicts Pod shop/job in blue: this Pod is none to be evicted',
    async act(stage) {
      const pod = stage.pod('job', { metadata: { labels: { 'cluster.x-k8s.io/drain': 'Wait-Completed' } } });
      await stage.pass(10);
      stage.look();
      stage.ask(evict(pod));
    },
  },
  {
    about: 'a second eviction by the same instance',
    invariant: evictedOnce,
    cries: 'instance-1 evicts Pod shop/a in blue: it had been accepted before (2026-01-01T00:00:00.000Z)',
    act(stage) {
      stage.look();
      const pod = stage.pod('a');
      stage.ask(evict(pod));
      stage.ask(evict(pod));
    },
  },
  {
    about: 'two instances that meet',
    invariant: evictedOnce,
    async act(stage) {
      const pod = stage.pod('a', { metadata: { finalizers: ['example.com/held'] } });
      stage.look('instance-1');
      stage.look('instance-2');
      await stage.pass(10);
      stage.ask(evict(pod), () => stage.world.cluster('blue').remove('pods', pod));
      await stage.pass();
      stage.ask({ ...evict(pod), instance: 'instance-2' });
    },
  },
  {
    about: 'an instance that sees that the Pod is on its way',
    invariant: evictedOnce,
    cries: 'instance-2 evicts Pod shop/a in blue: it is on its way already',
    async act(stage) {
      const pod = stage.pod('a', { metadata: { finalizers: ['example.com/held'] } });
      stage.world.cluster('blue').remove('pods', pod);
      await stage.pass(10);
      stage.look('instance-2');
      stage.ask({ ...evict(pod), instance: 'instance-2' });
    },
  },
  {
    about: 'an eviction without a UID',
    invariant: uidIsNamed,
    cries: 'instance-1 evicts Pod shop/a in blue: no UID',
    act: (stage) => stage.ask({ ...evict(stage.pod('a')), body: { deleteOptions: {} } }),
  },
  {
    about: 'an eviction with one',
    invariant: uidIsNamed,
    act: (stage) => stage.ask(evict(stage.pod('a'))),
  },
  {
    about: 'an eviction from a Node that is not cordoned',
    invariant: cordonFirst,
    cries: 'instance-1 evicts Pod shop/a in blue: Node node-1 is not cordoned',
    act(stage) {
      stage.look();
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'an eviction from a Node that is',
    invariant: cordonFirst,
    act(stage) {
      stage.look();
      const asked = cordon(nodeOf(stage));
      stage.ask(asked, () => void stage.world.cluster('blue').patch('nodes', nodeOf(stage), asked.body));
      stage.ask(evict(stage.pod('a')));
    },
  },
  {
    about: 'the Node of a Machine whose server is there',
    invariant: nodeComesLast,
    cries: 'instance-1 deletes Node node-1 in blue: its Machine stands at infrastructure',
    async act(stage) {
      save(stage, { phase: 'infrastructure', passed: drained });
      await stage.pass(10);
      stage.look();
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: 'another Node of that name',
    invariant: nodeComesLast,
    cries:
      'instance-1 deletes Node node-1 in blue: the Machine had another Node of this name, an-earlier-one',
    async act(stage) {
      save(stage, { phase: 'node', passed: over, node: 'an-earlier-one' });
      await stage.pass(10);
      stage.look();
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: 'the Node at the end',
    invariant: nodeComesLast,
    async act(stage) {
      save(stage, { phase: 'node', passed: over, node: nodeOf(stage).metadata.uid ?? '' });
      await stage.pass(10);
      stage.look();
      stage.ask(removeNode(nodeOf(stage)));
    },
  },
  {
    about: "somebody else's finalizer",
    invariant: finalizersOfOthers,
    cries: 'instance-1 takes the finalizer off Machine fleet/m1: example.com/other become none',
    act: (stage) => stage.ask(takeFinalizer(stage, 'example.com/other', 0)),
  },
  {
    about: 'our own finalizer',
    invariant: finalizersOfOthers,
    act: (stage) => stage.ask(takeFinalizer(stage)),
  },
  {
    about: 'our finalizer before the end',
    invariant: finalizerGoesLast,
    cries:
      'instance-1 takes the finalizer off Machine fleet/m1: nothing says how these were passed: all: it stands at node',
    async act(stage) {
      save(stage, { phase: 'node', passed: over });
      await stage.pass(10);
      stage.look();
      stage.ask(takeFinalizer(stage));
    },
  },
  {
    about: 'our finalizer at the end',
    invariant: finalizerGoesLast,
    async act(stage) {
      save(stage, { phase: 'finalize', passed: { ...over, node: 'done' } });
      await stage.pass(10);
      stage.look();
      stage.ask(takeFinalizer(stage));
    },
  },
  {
    about: 'a label on a Machine',
    invariant: onlyKnownWrites,
    cries: 'instance-1 writes into Machine fleet/m1: {"metadata":{"labels":{"a":"b"}}}',
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
    about: 'a checkpoint on a Machine that lives',
    invariant: onlyKnownWrites,
    cries:
      'instance-1 writes the checkpoint of Machine fleet/m2: {"metadata":{"annotations":{"phaseout.dev/checkpoint":""}}}',
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
    cries: 'instance-1 deletes Pod shop/a in blue: {"preconditions":{"uid":"a"}}',
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
    cries: 'instance-1 cordons Node node-2 in blue: Machine m2 lives',
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
  {
    about: 'an effect by who has not looked for long',
    invariant: knowledgeIsFresh,
    cries: 'instance-1 cordons Node node-1 in blue: instance-1 has not read Machine m1 for more than 10 s',
    async act(stage) {
      stage.look();
      await stage.pass(10_001);
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'an effect by who has looked',
    invariant: knowledgeIsFresh,
    async act(stage) {
      stage.look();
      await stage.pass(9_000);
      stage.ask(cordon(nodeOf(stage)));
    },
  },
];

describe.each(Object.entries(Object.groupBy(cases, ({ invariant }) => invariant.name)))(
  '%s:',
  (_name, own = []) => {
    test.each(own)('$about', async ({ invariant, cries, act }) => {
      const stage = await openStage(invariant);
      await act(stage);
      expect(stage.cries).toEqual(cries === undefined ? [] : [cries]);
    });
  },
);
