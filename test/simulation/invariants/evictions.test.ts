import { cordon, evict, nodeOf } from './asked.ts';
import { fleet, machines } from './built-stage.ts';
import { testsOf } from './cases.ts';
import { cordonFirst } from './cordon-first.ts';
import { evictedOnce } from './evicted-once.ts';
import { knowledgeIsFresh } from './knowledge-is-fresh.ts';
import { lowerOrdersFirst } from './lower-orders-first.ts';
import { podsThatStay } from './pods-that-stay.ts';
import type { Stage } from './stage.ts';

const rules = 'machinedrainrules.cluster.x-k8s.io';

const nameShop = ({ world }: Stage, quiet: string): void =>
  void world
    .cluster('blue')
    .patch('namespaces', { metadata: { name: 'shop' } }, { metadata: { labels: { quiet } } });

async function rule(
  stage: Stage,
  name: string,
  drain: object,
  labels: Record<string, string>,
): Promise<void> {
  stage.world.management.create(rules, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDrainRule',
    metadata: { namespace: 'fleet', name },
    spec: { drain, pods: [{ selector: { matchLabels: labels } }] },
  });
  await stage.pass();
}

async function lookAtMachineAlone(stage: Stage): Promise<void> {
  stage.look();
  await stage.pass(2_001);
  stage.ask({ verb: 'get', resource: machines, ...fleet });
  stage.ask(cordon(nodeOf(stage)));
}

/** Each has seen the Pod before the eviction of the other, and asks in good faith. */
async function meet(stage: Stage): Promise<void> {
  const pod = stage.pod('a', { metadata: { finalizers: ['example.com/held'] } });
  stage.look('instance-1');
  stage.look('instance-2');
  await stage.pass(10);
  stage.ask(evict(pod), () => stage.world.cluster('blue').remove('pods', pod));
  await stage.pass();
  stage.ask({ ...evict(pod), instance: 'instance-2' });
}

testsOf([
  {
    about: 'a Pod of order 5 beside one of order 0',
    invariant: lowerOrdersFirst,
    cries: 'instance-1 evicts Pod shop/late in blue: these have to go before it: shop/early (0 before 5)',
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
    about: 'a Pod that a rule skipped by its Namespace, which was read after the rule',
    invariant: podsThatStay,
    async act(stage) {
      const pods = [{ namespaceSelector: { matchLabels: { quiet: 'yes' } } }];
      const drain = { behavior: 'Skip' };
      nameShop(stage, 'yes');
      const byNamespace = stage.world.management.create(rules, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineDrainRule',
        metadata: { namespace: 'fleet', name: 'quiet' },
        spec: { drain, pods },
      });
      const pod = stage.pod('a');
      await stage.pass(20_000);
      stage.look();
      await stage.pass(10);
      stage.world.management.patch(rules, byNamespace, { spec: { pods: null } });
      await stage.pass(10);
      nameShop(stage, 'no');
      await stage.pass(10);
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
    about: 'two instances that meet while the store is well',
    invariant: evictedOnce,
    cries:
      "instance-2 evicts Pod shop/a in blue: instance-1 has evicted it just now, and a step is one instance's",
    act: meet,
  },
  ...['store-down', 'clock-jumps', 'paused-instance'].map((fault) => ({
    about: `two instances that meet where there was this: ${fault}`,
    invariant: evictedOnce,
    async act(stage: Stage) {
      stage.observer.hit?.(fault, [], undefined);
      await meet(stage);
    },
  })),
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
    about: 'an effect by who has not looked for long',
    invariant: knowledgeIsFresh,
    cries: 'instance-1 cordons Node node-1 in blue: Machine fleet/m1 was not read for more than 10 s',
    async act(stage) {
      stage.look();
      await stage.pass(10_001);
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'an effect by who has looked, at the Cluster right before',
    invariant: knowledgeIsFresh,
    async act(stage) {
      stage.look();
      await stage.pass(7_000);
      stage.ask({ verb: 'get', resource: 'clusters.cluster.x-k8s.io', namespace: 'fleet', name: 'blue' });
      await stage.pass(2_000);
      stage.ask(cordon(nodeOf(stage)));
    },
  },
  {
    about: 'an effect that was long on its way, by who had looked',
    invariant: knowledgeIsFresh,
    async act(stage) {
      stage.look();
      const arrive = stage.send(cordon(nodeOf(stage)));
      await stage.pass(15_000);
      arrive();
    },
  },
  {
    about: 'an effect by who has looked at the Machine alone for long',
    invariant: knowledgeIsFresh,
    cries:
      'instance-1 cordons Node node-1 in blue: the Cluster of Machine fleet/m1 was not read for more than 2 s',
    act: lookAtMachineAlone,
  },
  {
    about: 'the same where something went wrong',
    invariant: knowledgeIsFresh,
    async act(stage) {
      stage.observer.hit?.('slow-api', [], undefined);
      await lookAtMachineAlone(stage);
    },
  },
]);
