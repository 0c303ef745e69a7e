import { recordAt } from '../../shared/dialects/fields.ts';
import { type Fleet, resources } from './stage/fleet.ts';
import { hookDefinitions, policyDefinitions } from './stage/hook-definitions.ts';
import { story } from './stage/story.ts';

const group = 'drain-policies';
const beside = policyDefinitions;

const names = ['worker-1', 'worker-2', 'worker-3'];

function workers(fleet: Fleet, all: readonly string[] = names): void {
  fleet.cluster();
  for (const name of all) {
    fleet.worker(name, { metadata: { labels: { pool: 'web' } } });
    fleet.pod(name.replace('worker', 'web'), name.replace('worker', 'node'));
  }
}

const machines = [{ selector: { matchLabels: { pool: 'web' } } }];

const allGo = async (fleet: Fleet, all: readonly string[] = names): Promise<void> => {
  for (const name of all) fleet.delete(name);
  for (const name of all) await fleet.gone(name);
};

story(group, 'three Machines that are deleted at once go one after the other', {
  beside,
  thorough: true,
  scene(fleet) {
    workers(fleet);
    fleet.drainPolicy('workers', { machines, maxUnavailable: 1 });
    fleet.limitsBegun(1);
  },
  plot: allGo,
});

const policies = 'drainpolicies.phaseout.dev';
const one = (fleet: Fleet, spec: object = {}): void => {
  workers(fleet);
  fleet.drainPolicy('workers', { machines, maxUnavailable: 1, ...spec });
  fleet.limitsBegun(1);
};

const isListed = ({ verb, resource }: { verb: string; resource: string }): boolean =>
  verb === 'list' && [policies, resources.machines].includes(resource);

/** The Machine's controller says of its Node that it is not heard of any more. */
function loses(fleet: Fleet, name: string): void {
  const lastTransitionTime = new Date(fleet.clock.now()).toISOString();
  const unknown = { status: 'Unknown', reason: 'NodeReadyUnknown', message: '', lastTransitionTime };
  const conditions = ['NodeReady', 'NodeHealthy'].map((type) => ({ type, ...unknown }));
  fleet.change(resources.machines, name, { status: { conditions } }, 'status');
}

story(group, 'a Machine waits for a window, and has its whole time for the drain then', {
  beside,
  scene(fleet) {
    const deletion = { nodeDrainTimeoutSeconds: 30 };
    fleet.cluster();
    fleet.worker('worker-1', { spec: { deletion } });
    fleet.pod('web', 'node-1', { stopSeconds: 20 });
    const windows = [{ schedule: '30 0 * * *', timeZone: 'UTC', duration: '1h' }];
    fleet.drainPolicy('nights', { windows });
  },
  plot: (fleet) => allGo(fleet, ['worker-1']),
});

story(group, 'broken Machines do not wait for a window, and go one after the other', {
  beside,
  scene(fleet) {
    one(fleet, { windows: [{ schedule: '0 22 * * *', timeZone: 'UTC', duration: '1h' }] });
    for (const name of names) loses(fleet, name);
  },
  plot: allGo,
});

story(group, 'a healthy Machine waits for a living one whose Node is not Ready', {
  beside,
  scene: (fleet) => one(fleet),
  async plot(fleet) {
    loses(fleet, 'worker-2');
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the broken one is deleted, too');
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.gone('worker-1');
  },
});

story(group, 'a hook of others takes no place, and a function of ours holds one', {
  beside: [...hookDefinitions, ...policyDefinitions],
  scene(fleet) {
    one(fleet);
    const hook = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': 'x' };
    fleet.change(resources.machines, 'worker-1', { metadata: { annotations: hook } });
    fleet.deletionHook('move-data', { at: 'PreDrain', machines });
    fleet.hookFunctions.serve('move-data', ({ attempt }) => ({ state: attempt < 3 ? 'Working' : 'Done' }));
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    fleet.annotate('worker-1', { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': null });
    await fleet.gone('worker-1');
  },
});

story(group, 'a status that is emptied is rebuilt before another Machine begins', {
  beside,
  scene(fleet) {
    workers(fleet);
    fleet.drainPolicy('workers', { machines, maxUnavailable: 1 });
    fleet.pod('slow', 'node-1', { stopSeconds: 50, grace: 100 });
    fleet.limitsBegun(1);
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.told.say('somebody empties the status');
    fleet.change(policies, 'workers', { status: { begun: null } }, 'status');
    fleet.delete('worker-2');
    await fleet.gone('worker-1');
    await fleet.gone('worker-2');
  },
});

story(group, 'while DrainPolicies or Machines cannot be listed none begins', {
  beside,
  scene: (fleet) => one(fleet),
  async plot(fleet) {
    const ends = fleet.fail((request) =>
      isListed(request) ? { kind: 'answer', code: 500, message: 'etcd is away' } : undefined,
    );
    fleet.delete('worker-1');
    await fleet.seconds(40);
    fleet.told.say('the lists answer again');
    ends();
    await fleet.gone('worker-1');
  },
});

story(group, 'two policies: what was taken is given back while the other one has none left', {
  beside,
  scene(fleet) {
    workers(fleet);
    fleet.worker('worker-4', { metadata: { labels: { pool: 'gpu' } } });
    fleet.pod('slow', 'node-4', { stopSeconds: 50, grace: 100 });
    fleet.drainPolicy('all', { maxUnavailable: 2 });
    fleet.drainPolicy('gpus', {
      machines: [{ selector: { matchLabels: { pool: 'gpu' } } }],
      maxUnavailable: 1,
    });
    fleet.limitsBegun(2);
  },
  async plot(fleet) {
    fleet.delete('worker-4');
    await fleet.seconds(5);
    fleet.change(resources.machines, 'worker-1', { metadata: { labels: { pool: 'gpu' } } });
    const begun = {
      uid: fleet.machine('worker-1')?.metadata.uid,
      name: 'worker-1',
      since: '2026-01-01T00:00:00Z',
    };
    const former = recordAt(fleet.server.cluster.get(policies, 'fleet', 'all'), 'status')['begun'];
    fleet.told.say('an instance has died that had taken the first of two places');
    fleet.change(
      policies,
      'all',
      { status: { begun: [...(Array.isArray(former) ? former : []), begun] } },
      'status',
    );
    await allGo(fleet, ['worker-1', 'worker-2']);
    await fleet.gone('worker-4');
  },
});

story(group, 'a policy that cannot be read holds the Machines that it may be for', {
  beside,
  scene(fleet) {
    workers(fleet);
    fleet.drainPolicy('workers', {
      machines,
      windows: [{ schedule: '0 22 * * *', timeZone: 'Europe/Nowhere', duration: '1h' }],
    });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('the policy goes');
    fleet.server.cluster.remove(policies, { metadata: { name: 'workers', namespace: 'fleet' } });
    await fleet.gone('worker-1');
  },
});

story(group, 'a Cluster that is being deleted passes policies over, as its Machines do', {
  beside,
  scene(fleet) {
    workers(fleet);
    fleet.drainPolicy('workers', { machines, maxUnavailable: 1 });
    fleet.change(resources.clusters, 'blue', { metadata: { finalizers: ['x.example/keep'] } });
  },
  async plot(fleet) {
    fleet.server.cluster.remove(resources.clusters, { metadata: { name: 'blue', namespace: 'fleet' } });
    await allGo(fleet, ['worker-1', 'worker-2']);
  },
});
