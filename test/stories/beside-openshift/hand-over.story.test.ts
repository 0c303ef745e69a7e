import { type BesideOpenShiftFleet, ours } from '../stage/beside/openshift-fleet.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/hand-over';
const excluded = { 'machine.openshift.io/exclude-node-draining': '' };
const skip = { 'cluster.x-k8s.io/drain': 'skip' };

const goes = async (fleet: BesideOpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a Machine that gets the hook by its event and is deleted', {
  thorough: true,
  scene: () => undefined,
  async plot(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pods('web', 3, 'node-1');
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
    await fleet.seconds(3);
    await goes(fleet);
  },
});

story(group, 'a Machine that gets the hook from the sweep', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
    await goes(fleet);
  },
});

story(group, 'Pods that a rule skips stay, and the drain is marked as done', {
  hasRules: true,
  thorough: true,
  scene(fleet) {
    fleet.rule('leave-agents', {
      drain: { behavior: 'Skip' },
      machines: [{ selector: {} }],
      pods: [{ selector: { matchLabels: { app: 'agent' } } }],
    });
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1');
    fleet.pod('agent', 'node-1', { labels: { app: 'agent' }, stays: true });
  },
  plot: goes,
});

story(group, 'Pods that a label skips stay, and the drain is marked as done', {
  hasRules: true,
  scene(fleet) {
    fleet.held('worker-1');
    fleet.pod('web', 'node-1');
    fleet.pod('agent', 'node-1', { labels: skip, stays: true });
  },
  plot: goes,
});

story(group, 'a Pod that was waited for has completed and is left', {
  hasRules: true,
  scene(fleet) {
    fleet.held('worker-1');
    const labels = { 'cluster.x-k8s.io/drain': 'wait-completed' };
    const annotations = { 'local.phaseout.dev/run-seconds': '33' };
    fleet.pod('job', 'node-1', { labels, annotations, stays: true });
    fleet.pod('web', 'node-1');
  },
  plot: goes,
});

story(group, 'a deletion without the hook is left to the peer', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'an excluded Machine is let go: the peer passes all hooks over', {
  scene(fleet) {
    fleet.held('worker-1', { metadata: { annotations: excluded } });
    fleet.pod('web', 'node-1', { stays: true });
  },
  plot: goes,
});

story(group, 'a Machine without a Node is let go', {
  scene: (fleet) => fleet.held('worker-1', { node: null, status: { nodeRef: null } }),
  plot: goes,
});

story(group, 'a Machine that is excluded in mid-drain is let go', {
  scene(fleet) {
    fleet.held('worker-1');
    fleet.pod('web', 'node-1', { grace: 200, stopSeconds: 100 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.annotate('worker-1', excluded);
    await fleet.gone('worker-1');
  },
});

story(group, 'our hook in a template: a Machine has it from its first version on', {
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { preDrain: [ours] });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    await fleet.seconds(200);
    await goes(fleet);
  },
});

story(group, 'a Pod that comes back before the hand-over is drained, too', {
  scene(fleet) {
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(1);
    fleet.pod('late', 'node-1', { tolerations: [{ operator: 'Exists' }] });
    await fleet.gone('worker-1');
  },
});
