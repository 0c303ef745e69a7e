import type { BesideFleet } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/cluster';
const controlPlaneRef = {
  apiGroup: 'controlplane.cluster.x-k8s.io',
  kind: 'GenericControlPlane',
  name: 'blue',
};
const kcpCleanup = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup';
const controlPlaneLabel = { 'cluster.x-k8s.io/control-plane': '' };

/** A cluster with a control plane object, and a worker whose Pod does not stop. */
function aHeldWorker(fleet: BesideFleet): void {
  fleet.cluster('blue', { spec: { controlPlaneRef } });
  fleet.change(resources.clusters, 'blue', { metadata: { finalizers: ['example.com/x'] } });
  fleet.create(resources.controlPlanes, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'GenericControlPlane',
    metadata: { name: 'blue', namespace: 'fleet', finalizers: ['example.com/x'] },
  });
  fleet.held('worker-1');
  fleet.replicas('web', 2, 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
}

const remove = (fleet: BesideFleet, resource: string): void => {
  fleet.server.cluster.remove(resource, { metadata: { name: 'blue', namespace: 'fleet' } });
};

story(group, 'the Cluster is deleted while the Machine is held', {
  thorough: true,
  scene: aHeldWorker,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the Cluster is deleted');
    remove(fleet, resources.clusters);
    await fleet.gone('worker-1');
  },
});

story(group, 'the control plane is deleted while the Machine is held', {
  thorough: true,
  scene: aHeldWorker,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the control plane is deleted');
    remove(fleet, resources.controlPlanes);
    await fleet.gone('worker-1');
  },
});

story(group, 'the control plane is deleted while another hook holds the Machine before ours', {
  scene(fleet) {
    aHeldWorker(fleet);
    fleet.change(resources.machines, 'worker-1', {
      metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': '' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the control plane is deleted');
    remove(fleet, resources.controlPlanes);
    await fleet.gone('worker-1');
  },
});

story(group, 'the whole fleet goes with its Cluster', {
  scene: aHeldWorker,
  async plot(fleet) {
    fleet.told.say('the Cluster is deleted');
    remove(fleet, resources.clusters);
    await fleet.seconds(2);
    for (const name of ['worker-1', 'blue-cp-1', 'blue-cp-2']) fleet.delete(name);
    await fleet.gone('worker-1');
  },
});

story(group, 'clusterctl move takes the Machine elsewhere', {
  thorough: true,
  scene(fleet) {
    aHeldWorker(fleet);
    fleet.change(resources.clusters, 'blue', { spec: { paused: true } });
  },
  async plot(fleet) {
    fleet.told.say('clusterctl deletes worker-1, which lives on elsewhere');
    fleet.change(resources.machines, 'worker-1', {
      metadata: { annotations: { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' } },
    });
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('clusterctl strips its finalizers');
    fleet.change(resources.machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine of a KubeadmControlPlane, with the hook by which that keeps the quorum of etcd', {
  env: { PHASEOUT_BESIDE_CONTROL_PLANES: 'true' },
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { metadata: { labels: controlPlaneLabel, annotations: { [kcpCleanup]: '' } } });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.until(
      'the hook of etcd is waited for',
      () => fleet.peerSays('worker-1') === 'WaitingForPreTerminateHook',
    );
    await fleet.seconds(30);
    fleet.told.say('the member has left etcd');
    fleet.annotate('worker-1', { [kcpCleanup]: null });
    await fleet.gone('worker-1');
  },
});

story(group, 'control plane Machines get no hook by themselves', {
  scene(fleet) {
    fleet.cluster('blue', { members: 2 });
    fleet.worker('worker-1', { metadata: { labels: controlPlaneLabel } });
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    await fleet.seconds(130);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'the last control plane Machine', {
  env: { PHASEOUT_BESIDE_CONTROL_PLANES: 'true' },
  scene(fleet) {
    fleet.cluster('blue', { members: 0 });
    fleet.held('worker-1', { metadata: { labels: controlPlaneLabel } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that never had a Node', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1', { node: null, status: { nodeRef: null }, spec: { providerID: null } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
