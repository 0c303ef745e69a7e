import { type Fleet, resources } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'cluster';
const controlPlaneRef = {
  apiGroup: 'controlplane.cluster.x-k8s.io',
  kind: 'GenericControlPlane',
  name: 'blue',
};

const goes = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

function aWorker(fleet: Fleet): void {
  fleet.worker('worker-1');
  fleet.pods('web', 2, 'node-1');
}

function aControlPlane(fleet: Fleet, status: object = {}): void {
  fleet.create(resources.controlPlanes, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'GenericControlPlane',
    metadata: { name: 'blue', namespace: 'fleet', finalizers: ['example.com/x'] },
    status,
  });
}

story(group, 'a Cluster that is being deleted', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
    fleet.change(resources.clusters, 'blue', { metadata: { finalizers: ['example.com/x'] } });
  },
  async plot(fleet) {
    fleet.server.cluster.remove(resources.clusters, { metadata: { name: 'blue', namespace: 'fleet' } });
    await goes(fleet);
  },
});

story(group, 'a Cluster that is deleted in mid-drain, and its API is gone', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.replicas('web', 1, 'node-1');
    fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
    fleet.change(resources.clusters, 'blue', { metadata: { finalizers: ['example.com/x'] } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.told.say('the Cluster is deleted');
    fleet.unreachable('blue');
    fleet.server.cluster.remove(resources.clusters, { metadata: { name: 'blue', namespace: 'fleet' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'the last control plane member', {
  scene(fleet) {
    fleet.cluster('blue', { members: 0 });
    fleet.worker('worker-1', { metadata: { labels: { 'cluster.x-k8s.io/control-plane': '' } } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'a control plane that is being deleted', {
  scene(fleet) {
    fleet.cluster('blue', { spec: { controlPlaneRef } });
    aWorker(fleet);
    aControlPlane(fleet);
  },
  async plot(fleet) {
    fleet.server.cluster.remove(resources.controlPlanes, { metadata: { name: 'blue', namespace: 'fleet' } });
    await goes(fleet);
  },
});

story(group, 'a control plane that is managed elsewhere', {
  scene(fleet) {
    fleet.cluster('blue', { members: 0, spec: { controlPlaneRef } });
    aWorker(fleet);
    aControlPlane(fleet, { externalManagedControlPlane: true });
  },
  plot: goes,
});

story(group, 'a control plane object that is missing', {
  scene(fleet) {
    fleet.cluster('blue', { spec: { controlPlaneRef } });
    aWorker(fleet);
  },
  plot: goes,
});

story(group, 'a control plane that cannot be read for a while', {
  scene(fleet) {
    fleet.cluster('blue', { spec: { controlPlaneRef } });
    aWorker(fleet);
    aControlPlane(fleet);
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'get' && resource === resources.controlPlanes
        ? { kind: 'answer', code: 500, message: 'etcdserver: leader changed' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('it can be read again');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Cluster object that is missing', {
  scene: aWorker,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the Cluster comes');
    fleet.cluster();
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that comes again under the same name', {
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
  },
  async plot(fleet) {
    await goes(fleet);
    fleet.told.say('somebody makes worker-1 anew');
    fleet.worker('worker-1');
    fleet.pod('web', 'node-1', { stays: true });
    await fleet.seconds(100);
  },
});

async function unreadFor(fleet: Fleet, seconds: number, message: string): Promise<void> {
  const end = fleet.fail(({ verb, resource }) =>
    verb === 'get' && resource === resources.infrastructure
      ? { kind: 'answer', code: 500, message }
      : undefined,
  );
  fleet.delete('worker-1');
  await fleet.seconds(seconds);
  fleet.told.say('it can be read again');
  end();
  await fleet.gone('worker-1');
}

story(group, 'infrastructure that cannot be read for a while', {
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
  },
  plot: (fleet) => unreadFor(fleet, 100, 'etcdserver: request timed out'),
});

story(group, 'infrastructure that cannot be read for longer than a drain may take', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion: { nodeDrainTimeoutSeconds: 60 } } });
    fleet.pods('web', 2, 'node-1');
  },
  plot: (fleet) => unreadFor(fleet, 110, 'conversion webhook failed'),
});

story(group, 'infrastructure that cannot be read for longer than volumes are waited for', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } },
      spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 60 } },
    });
    fleet.volume('data');
    fleet.pod('web', 'node-1', { claim: 'data', stays: true });
  },
  plot: (fleet) => unreadFor(fleet, 110, 'conversion webhook failed'),
});

story(group, 'infrastructure of a kind that is not served for a while', {
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
  },
  async plot(fleet) {
    const end = fleet.fail(({ path }) =>
      path.startsWith('/apis/infrastructure.')
        ? { kind: 'answer', code: 404, message: 'not found' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('it is served again');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'infrastructure that may not be deleted for a while', {
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
  },
  async plot(fleet) {
    const end = fleet.fail(({ verb, resource }) =>
      verb === 'delete' && resource === resources.infrastructure
        ? { kind: 'answer', code: 403, message: 'admission webhook denied the request' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(130);
    fleet.told.say('it may be deleted');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'infrastructure that never goes', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', {
      infrastructure: { annotations: { 'local.phaseout.dev/never-stops': 'true' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(1_200);
  },
});

story(group, 'infrastructure that somebody else deletes first', {
  scene(fleet) {
    fleet.cluster();
    aWorker(fleet);
  },
  async plot(fleet) {
    fleet.server.cluster.remove(resources.infrastructure, {
      metadata: { name: 'worker-1', namespace: 'fleet' },
    });
    await goes(fleet);
  },
});

story(group, 'infrastructure and bootstrap that are gone already', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { infrastructure: null, bootstrap: null });
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'no bootstrap config', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { bootstrap: null, spec: { bootstrap: { configRef: null } } });
  },
  plot: goes,
});

story(group, 'finalizers of others', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { finalizers: ['example.com/audit'] } });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(400);
    fleet.told.say('the other finalizer goes');
    fleet.change(resources.machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Machine that a watch filter leaves to others, until it is labelled', {
  watchFilter: 'ours',
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1', { metadata: { labels: { 'cluster.x-k8s.io/watch-filter': 'theirs' } } });
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(200);
    fleet.told.say('it is handed over');
    const labels = { 'cluster.x-k8s.io/watch-filter': 'ours' };
    fleet.change(resources.machines, 'worker-1', { metadata: { labels } });
    await fleet.gone('worker-1');
  },
});
