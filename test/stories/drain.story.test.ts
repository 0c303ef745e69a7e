import type { Fleet } from './stage/fleet.ts';
import { agents } from './stage/scenes.ts';
import { story } from './stage/story.ts';

const group = 'drain';

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

const waits =
  (seconds: number) =>
  async (fleet: Fleet): Promise<void> => {
    fleet.delete('worker-1');
    await fleet.seconds(seconds);
  };

const runs = (seconds: number) => ({ 'local.phaseout.dev/run-seconds': String(seconds) });

const drainRule = (order: number, wave: string) => ({
  drain: { behavior: 'Drain', order },
  pods: [{ selector: { matchLabels: { wave } } }],
});

story(group, 'Pods of three orders', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.rule('early', drainRule(-5, 'early'));
    fleet.rule('late', drainRule(10, 'late'));
    fleet.pods('early', 3, 'node-1', { labels: { wave: 'early' }, order: -5 });
    fleet.pods('plain', 3, 'node-1');
    fleet.pod('slow', 'node-1', { stopSeconds: 12 });
    fleet.pods('late', 3, 'node-1', { labels: { wave: 'late' }, order: 10 });
  },
  plot: goes,
});

story(group, 'Pods that no drain touches', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    agents(fleet);
    fleet.pod('mirror', 'node-1', { annotations: { 'kubernetes.io/config.mirror': 'x' }, stays: true });
    fleet.pod('kept', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'Skip' }, stays: true });
    fleet.rule('monitoring-stays', {
      drain: { behavior: 'Skip' },
      pods: [{ selector: { matchLabels: { app: 'monitoring' } } }],
    });
    fleet.pod('monitoring', 'node-1', { labels: { app: 'monitoring' }, stays: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a budget of one over ten Pods', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.replicas('web', 10, 'node-1');
    fleet.node('node-2');
    fleet.budget('web', { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
  },
  plot: goes,
});

story(group, 'a budget that never allows any, until the drain takes too long', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } });
    fleet.replicas('web', 3, 'node-1');
    fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  },
  plot: goes,
});

story(group, 'two budgets over one Pod', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.replicas('web', 2, 'node-1');
    for (const name of ['web', 'all']) {
      fleet.budget(name, { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } });
    }
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('somebody deletes the second budget');
    fleet.server.cluster.remove('poddisruptionbudgets.policy', {
      metadata: { name: 'all', namespace: 'shop' },
    });
    fleet.node('node-2');
    await fleet.gone('worker-1');
  },
});

story(group, 'a namespace that is terminating', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1');
    fleet.pod('other', 'node-1', { namespace: 'default' });
  },
  // No controller marks its Pods, as in a cluster whose kube-controller-manager is down.
  without: ['namespace'],
  async plot(fleet) {
    fleet.told.say('somebody deletes the namespace shop');
    fleet.server.cluster.remove('namespaces', { metadata: { name: 'shop' } });
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('its Pod is deleted at last');
    fleet.server.cluster.remove('pods', { metadata: { name: 'web', namespace: 'shop' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'Pods whose completion is waited for', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    const labels = { 'cluster.x-k8s.io/drain': 'wait-completed' };
    fleet.rule('late', drainRule(10, 'late'));
    fleet.rule('reports', {
      drain: { behavior: 'WaitCompleted' },
      pods: [{ selector: { matchLabels: { app: 'report' } } }],
    });
    fleet.pod('job', 'node-1', { labels, annotations: runs(33), stays: true });
    fleet.pod('report', 'node-1', { labels: { app: 'report' }, annotations: runs(15), stays: true });
    fleet.pod('done', 'node-1', { labels, annotations: runs(0.2), stays: true });
    fleet.pod('web', 'node-1');
    fleet.pod('late', 'node-1', { labels: { wave: 'late' }, order: 10 });
  },
  plot: goes,
});

story(group, 'a Node that is unreachable', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 3, 'node-1', { stays: false });
  },
  async plot(fleet) {
    fleet.silence('node-1');
    await fleet.seconds(5);
    await goes(fleet);
  },
});

story(group, 'a Pod that does not stop, until the drain takes too long', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 45 } } });
    fleet.pod('stuck', 'node-1', { neverStops: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a Machine that is excluded from the drain', {
  scene(fleet) {
    fleet.cluster();
    const annotations = { 'machine.cluster.x-k8s.io/exclude-node-draining': 'false' };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'an exclusion that comes in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('stuck', 'node-1', { neverStops: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(7);
    fleet.annotate('worker-1', { 'machine.cluster.x-k8s.io/exclude-node-draining': '' });
    await fleet.gone('worker-1');
  },
});

story(group, 'an invalid rule that applies and one that does not', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    const broken = { selector: { matchExpressions: [{ key: 'app', operator: 'Nope' }] } };
    const others = { selector: { matchLabels: { role: 'other' } } };
    fleet.rule('broken-for-others', { drain: { behavior: 'Skip' }, machines: [others], pods: [broken] });
    fleet.rule('broken', { drain: { behavior: 'Skip' }, pods: [broken] });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('somebody deletes the rule that is broken');
    const metadata = { name: 'broken', namespace: 'fleet' };
    fleet.server.cluster.remove('machinedrainrules.cluster.x-k8s.io', { metadata });
    await fleet.gone('worker-1');
  },
});

story(group, 'Pods that come to the Node in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('slow', 'node-1', { stopSeconds: 10 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(4);
    fleet.told.say('a Pod comes that tolerates everything');
    fleet.pod('late', 'node-1', { tolerations: [{ operator: 'Exists' }] });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Pod that never goes and no timeout', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pod('stuck', 'node-1', { neverStops: true });
    fleet.rule('late', drainRule(10, 'late'));
    fleet.pods('late', 5, 'node-1', { labels: { wave: 'late' }, order: 10 });
  },
  plot: waits(100),
});
