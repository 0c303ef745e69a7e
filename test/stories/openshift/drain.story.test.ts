import type { OpenShiftFleet } from '../stage/openshift.ts';
import { machines } from '../stage/openshift.ts';
import { agents } from '../stage/scenes.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/drain';
const exclude = 'machine.openshift.io/exclude-node-draining';
const nothingAllowed = { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } };

const goes = async (fleet: OpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

const waits =
  (seconds: number) =>
  async (fleet: OpenShiftFleet): Promise<void> => {
    fleet.delete('worker-1');
    await fleet.seconds(seconds);
  };

const drainRule = (order: number, wave: string) => ({
  drain: { behavior: 'Drain', order },
  pods: [{ selector: { matchLabels: { wave } } }],
});

story(group, 'a Machine that is excluded, whatever the annotation says', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: { annotations: { [exclude]: 'false' } } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'an exclusion that comes in mid-drain', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('stuck', 'node-1', { neverStops: true });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [exclude]: '' });
    await fleet.gone('worker-1');
  },
});

story(group, 'a budget that never allows any holds the Machine for ever', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { spec: { nodeDrainTimeoutSeconds: 60 } });
    fleet.replicas('web', 1, 'node-1');
    fleet.budget('web', nothingAllowed);
  },
  plot: waits(600),
});

story(group, 'a budget that somebody deletes holds nothing from then on', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.replicas('web', 2, 'node-1');
    fleet.budget('web', nothingAllowed);
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(93);
    fleet.told.say('somebody deletes the budget');
    const metadata = { name: 'web', namespace: 'shop' };
    fleet.server.cluster.remove('poddisruptionbudgets.policy', { metadata });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Pod that takes its time makes the drain fail for a while', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('slow', 'node-1', { stopSeconds: 50 });
    fleet.pod('quick', 'node-1');
  },
  plot: goes,
});

story(group, 'a Pod that is gone before an attempt would be over', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('steady', 'node-1', { stopSeconds: 15 });
  },
  plot: goes,
});

story(group, 'orders, where MachineDrainRules are served', {
  thorough: true,
  hasRules: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.rule('early', drainRule(-5, 'early'));
    fleet.rule('late', drainRule(10, 'late'));
    fleet.rule('monitoring-stays', {
      drain: { behavior: 'Skip' },
      pods: [{ selector: { matchLabels: { app: 'monitoring' } } }],
    });
    fleet.pods('early', 2, 'node-1', { labels: { wave: 'early' }, order: -5, stopSeconds: 3 });
    fleet.pods('plain', 2, 'node-1');
    fleet.pods('late', 2, 'node-1', { labels: { wave: 'late' }, order: 10 });
    fleet.pod('monitoring', 'node-1', { labels: { app: 'monitoring' }, stays: true });
    fleet.pod('kept', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'skip' }, stays: true });
  },
  plot: goes,
});

story(group, 'an invalid rule, where MachineDrainRules are served', {
  hasRules: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    const matchExpressions = [{ key: 'app', operator: 'Nope' }];
    fleet.rule('wrong', { drain: { behavior: 'Skip' }, pods: [{ selector: { matchExpressions } }] });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(130);
    fleet.told.say('somebody mends the rule');
    fleet.change('machinedrainrules.cluster.x-k8s.io', 'wrong', {
      spec: { pods: [{ selector: { matchLabels: { app: 'none' } } }] },
    });
    await fleet.gone('worker-1');
  },
});

story(group, 'drain labels mean nothing where MachineDrainRules are not served', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('kept', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'skip' } });
    fleet.pod('waited', 'node-1', { labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } });
  },
  plot: goes,
});

story(group, 'Pods that no drain touches', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    agents(fleet);
    fleet.pod('mirror', 'node-1', { annotations: { 'kubernetes.io/config.mirror': 'x' }, stays: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a Node that is unreachable', {
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { node: { conditions: 'Unknown' } });
    const tolerations = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }];
    fleet.pods('web', 2, 'node-1', { neverStops: true, tolerations });
  },
  plot: goes,
});

story(group, 'a Node that falls silent in mid-drain', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    const tolerations = [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }];
    fleet.pods('web', 2, 'node-1', { neverStops: true, grace: 3_600, tolerations });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.told.say('node-1 falls silent');
    fleet.silence('node-1', '2026-01-01T00:00:33Z');
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that is gone', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { node: null });
  },
  plot: goes,
});

story(group, 'a Machine that has no Node', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { node: null, status: { nodeRef: null, phase: 'Provisioned' } });
  },
  plot: goes,
});

story(group, 'a nodeRef that appears after the drain was skipped', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', {
      status: { nodeRef: null },
      preTerminate: [{ name: 'Wait', owner: 'somebody' }],
    });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('its Node is found');
    const { uid = '' } = fleet.server.cluster.get('nodes', undefined, 'node-1')?.metadata ?? {};
    const nodeRef = { kind: 'Node', name: 'node-1', uid };
    fleet.change(machines, 'worker-1', { status: { nodeRef } }, 'status');
    fleet.setHooks('worker-1', 'preTerminate', []);
    await fleet.gone('worker-1');
  },
});

story(group, 'a volume that is still attached holds nothing', {
  without: ['volume-attachment'],
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.volume('data');
    fleet.pod('database', 'node-1', { claim: 'data' });
    fleet.create('volumeattachments.storage.k8s.io', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'pv-data' },
      spec: { attacher: 'csi.example', nodeName: 'node-1', source: { persistentVolumeName: 'pv-data' } },
    });
  },
  plot: goes,
});

story(group, 'Pods that cannot be listed for a while', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'list' && resource === 'pods'
        ? { kind: 'answer', code: 500, message: 'etcdserver: leader changed' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('they can be listed');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Node that may not be cordoned for a while', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'patch' && resource === 'nodes'
        ? { kind: 'answer', code: 403, message: 'nodes "node-1" is forbidden: deny' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('it may be cordoned');
    end();
    await fleet.gone('worker-1');
  },
});
