import { kubeconfigOf } from './stage/carriage.ts';
import { type Fleet, resources } from './stage/fleet.ts';
import { story } from './stage/story.ts';

const group = 'outage';

function twoClusters(fleet: Fleet): void {
  for (const [cluster, worker] of [
    ['blue', 'worker-1'],
    ['red', 'worker-2'],
  ] as const) {
    fleet.cluster(cluster);
    fleet.worker(worker, { cluster });
    fleet.pods(cluster, 3, worker.replace('worker', 'node'));
  }
}

const both = async (fleet: Fleet): Promise<void> => {
  fleet.delete('worker-1');
  fleet.delete('worker-2');
  await fleet.gone('worker-1');
};

story(group, 'a kubeconfig Secret that is missing, beside a cluster that is well', {
  scene(fleet) {
    twoClusters(fleet);
    fleet.server.cluster.remove('secrets', { metadata: { name: 'red-kubeconfig', namespace: 'fleet' } });
  },
  async plot(fleet) {
    await both(fleet);
    await fleet.seconds(130);
    fleet.told.say('the Secret comes');
    fleet.secret('red', kubeconfigOf('red'));
    await fleet.gone('worker-2');
  },
});

story(group, 'a kubeconfig Secret that is broken', {
  scene(fleet) {
    twoClusters(fleet);
    const value = Buffer.from('not: [a kubeconfig').toString('base64');
    fleet.change('secrets', 'red-kubeconfig', { data: { value } });
  },
  async plot(fleet) {
    await both(fleet);
    await fleet.seconds(130);
    fleet.told.say('the Secret is mended');
    const value = Buffer.from(kubeconfigOf('red')).toString('base64');
    fleet.change('secrets', 'red-kubeconfig', { data: { value } });
    await fleet.gone('worker-2');
  },
});

story(group, 'a workload cluster that cannot be reached, beside one that is well', {
  scene: twoClusters,
  async plot(fleet) {
    const end = fleet.unreachable('red');
    await both(fleet);
    await fleet.seconds(130);
    fleet.told.say('it can be reached');
    end();
    await fleet.gone('worker-2');
  },
});

story(group, 'a workload cluster that goes down in mid-drain', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 30 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('it goes down');
    const end = fleet.unreachable('blue');
    await fleet.seconds(100);
    fleet.told.say('it is back');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a management API that answers 500 for a while', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 30 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('the API answers 500');
    const end = fleet.fail(({ host }) =>
      host === 'management' ? { kind: 'answer', code: 500, message: 'etcdserver: no leader' } : undefined,
    );
    await fleet.seconds(100);
    fleet.told.say('it is well again');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'a management API that does not answer for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 5 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(2);
    fleet.told.say('the API is silent');
    const end = fleet.fail(({ host }) => (host === 'management' ? { kind: 'silent' } : undefined));
    await fleet.seconds(100);
    fleet.told.say('it is well again');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'DaemonSets that cannot be read for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    const labels = { app: 'agent' };
    const annotations = { 'story/stays': '' };
    const containers = [{ name: 'c', image: 'registry.example/agent:1' }];
    fleet.create('daemonsets.apps', {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'agent', namespace: 'shop' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations }, spec: { containers } },
      },
    });
  },
  async plot(fleet) {
    const end = fleet.fail(({ resource }) =>
      resource === 'daemonsets.apps' ? { kind: 'answer', code: 503, message: 'not ready' } : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('they can be read');
    end();
    await fleet.gone('worker-1');
  },
});

story(group, 'writes of the status that are refused', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    fleet.fail(({ resource, verb }) =>
      verb === 'patch' && resource === `${resources.machines}/status`
        ? { kind: 'answer', code: 403, message: 'denied by policy' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a finalizer that a policy holds on to for a while', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
  },
  async plot(fleet) {
    const end = fleet.fail(({ resource, verb, body }) =>
      verb === 'patch' && resource === resources.machines && Array.isArray(body)
        ? { kind: 'answer', code: 403, message: 'admission webhook "guard.example.com" denied the request' }
        : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the policy lets it go');
    end();
    await fleet.gone('worker-1');
  },
});
