import type { Fleet } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'hooks';
const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';
const paused = 'cluster.x-k8s.io/paused';

function aWorkerWithPods(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.pods('web', 2, 'node-1');
}

story(group, 'two pre-drain hooks and then one', {
  scene(fleet) {
    fleet.cluster();
    const annotations = { [`${preDrain}/backup`]: 'x', [`${preDrain}/migrate`]: '' };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(40);
    fleet.annotate('worker-1', { [`${preDrain}/backup`]: null });
    await fleet.seconds(70);
    fleet.annotate('worker-1', { [`${preDrain}/migrate`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'pre-terminate hooks', {
  scene(fleet) {
    fleet.cluster();
    const annotations = { [`${preTerminate}/b`]: 'x', [`${preTerminate}/a`]: '' };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [`${preTerminate}/a`]: null, [`${preTerminate}/b`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'hooks that come late, while the infrastructure goes', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      infrastructure: { annotations: { 'local.phaseout.dev/stop-seconds': '90' } },
    });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(80);
    fleet.annotate('worker-1', { [`${preDrain}/late`]: '' });
    await fleet.seconds(120);
    fleet.annotate('worker-1', { [`${preDrain}/late`]: null, [`${preTerminate}/late`]: '' });
    await fleet.seconds(70);
    fleet.annotate('worker-1', { [`${preTerminate}/late`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'paused before anything happens', {
  scene: aWorkerWithPods,
  async plot(fleet) {
    fleet.annotate('worker-1', { [paused]: '' });
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [paused]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'paused in mid-drain, by the Machine and by the Cluster', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 20 });
    fleet.rule('late', {
      drain: { behavior: 'Drain', order: 10 },
      pods: [{ selector: { matchLabels: { wave: 'late' } } }],
    });
    fleet.pods('late', 2, 'node-1', { labels: { wave: 'late' }, order: 10 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    fleet.annotate('worker-1', { [paused]: 'false' });
    await fleet.seconds(70);
    fleet.told.say('the Cluster is paused, too');
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { spec: { paused: true } });
    fleet.annotate('worker-1', { [paused]: null });
    await fleet.seconds(70);
    fleet.told.say('the Cluster goes on');
    fleet.change('clusters.cluster.x-k8s.io', 'blue', { spec: { paused: false } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a pre-drain hook holds a Machine that is excluded from the drain, too', {
  scene(fleet) {
    fleet.cluster();
    const annotations = { [`${preDrain}/x`]: '', 'machine.cluster.x-k8s.io/exclude-node-draining': '' };
    fleet.worker('worker-1', { metadata: { annotations } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.annotate('worker-1', { [`${preDrain}/x`]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'the hook by which a KubeadmControlPlane keeps the quorum of etcd', {
  scene(fleet) {
    fleet.cluster();
    const labels = { 'cluster.x-k8s.io/control-plane': '' };
    fleet.worker('worker-1', { metadata: { labels, annotations: { [`${preTerminate}/kcp-cleanup`]: '' } } });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the member has left etcd');
    fleet.annotate('worker-1', { [`${preTerminate}/kcp-cleanup`]: null });
    await fleet.gone('worker-1');
  },
});
