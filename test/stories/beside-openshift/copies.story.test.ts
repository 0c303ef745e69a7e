import { release } from '../../../infra/cli/release/release.ts';
import { alive } from '../stage/beside/fleet.ts';
import { syncFinalizer } from '../stage/beside/machine-sync.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import type { Authority, TwoApisFleet } from '../stage/beside/two-apis-fleet.ts';
import { resources } from '../stage/fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besideBoth } from '../stage/story.ts';

const { story } = besideBoth;
const group = 'beside-openshift/copies';

function aMachine(fleet: TwoApisFleet, authority: Authority): void {
  fleet.cluster();
  fleet.copies('worker-1', authority);
  fleet.pod('web', 'node-1', { grace: 200, stopSeconds: 60 });
  fleet.pod('slow', 'node-1', { grace: 400, stopSeconds: 200 });
}

story(
  group,
  'OpenShift rules the Machine: its copy alone is acted on, and that of Cluster API goes with it',
  {
    thorough: true,
    scene: (fleet) => aMachine(fleet, 'MachineAPI'),
    async plot(fleet) {
      fleet.deleteIn('MachineAPI', 'worker-1');
      await fleet.gone('worker-1');
    },
  },
);

story(
  group,
  'Cluster API rules the Machine, and the copy of OpenShift is deleted: that of Cluster API is acted on',
  {
    thorough: true,
    scene: (fleet) => aMachine(fleet, 'ClusterAPI'),
    async plot(fleet) {
      fleet.deleteIn('MachineAPI', 'worker-1');
      await fleet.gone('worker-1');
    },
  },
);

story(
  group,
  'the authority moves from OpenShift to Cluster API in mid-drain: the infrastructure object is going, so it is let go',
  {
    thorough: true,
    scene: (fleet) => aMachine(fleet, 'MachineAPI'),
    async plot(fleet) {
      fleet.deleteIn('ClusterAPI', 'worker-1');
      await fleet.seconds(20);
      fleet.moves('worker-1', 'ClusterAPI');
      await fleet.seconds(60);
      fleet.moved('worker-1', 'ClusterAPI');
      await fleet.gone('worker-1');
    },
  },
);

story(group, 'the authority moves from Cluster API to OpenShift in mid-drain', {
  thorough: true,
  scene: (fleet) => aMachine(fleet, 'ClusterAPI'),
  async plot(fleet) {
    fleet.deleteIn('ClusterAPI', 'worker-1');
    await fleet.seconds(20);
    fleet.moves('worker-1', 'MachineAPI');
    await fleet.seconds(60);
    fleet.moved('worker-1', 'MachineAPI');
    await fleet.gone('worker-1');
  },
});

/** Our hook is refused on Machines of that API, until the returned function ends it. */
const refusesHooks = (fleet: TwoApisFleet, api: string, code: number, message: string): (() => void) =>
  fleet.fail(({ verb, path, body }) => {
    const isOfHook = /\.hook\.|lifecycleHooks/.test(JSON.stringify(body));
    return verb === 'patch' && path.includes(api) && isOfHook ? { kind: 'answer', code, message } : undefined;
  });

const tellHooks = (fleet: TwoApisFleet, name = 'worker-1'): void =>
  fleet.told.say(`our hook is on ${name} in: ${fleet.heldIn(name) || 'none'}`);

for (const authority of ['MachineAPI', 'ClusterAPI'] as const)
  story(
    group,
    `a new Machine that ${authority} rules gets our hook there, and the other copy has it from that one`,
    {
      thorough: true,
      scene: (fleet) => fleet.cluster(),
      async plot(fleet) {
        fleet.copies('worker-1', authority, { isNew: true });
        await fleet.seconds(400);
        tellHooks(fleet);
      },
    },
  );

story(
  group,
  'a master that is none of ours gets no hook, although its copy in Cluster API does not say what it is',
  {
    thorough: true,
    scene: (fleet) => fleet.cluster(),
    async plot(fleet) {
      fleet.copies('worker-1', 'MachineAPI', { isNew: true, role: 'master' });
      await fleet.seconds(400);
      tellHooks(fleet);
    },
  },
);

story(
  group,
  'a copy is seen before it can be told from other Machines: OpenShift refuses our hook there, and nothing is lost',
  {
    scene: (fleet) => fleet.cluster(),
    async plot(fleet) {
      refusesHooks(fleet, '/cluster.x-k8s.io/', 422, 'a policy: this copy is not the one that rules');
      const heals = refusesHooks(fleet, '/machine.openshift.io/', 503, 'not yet');
      fleet.copies('worker-1', 'MachineAPI', { isNew: true, isMarked: false });
      await fleet.seconds(10);
      const finalizers = ['machine.cluster.x-k8s.io', syncFinalizer];
      fleet.change(resources.machines, 'worker-1', { metadata: { finalizers } });
      heals();
      await fleet.seconds(400);
      tellHooks(fleet);
    },
  },
);

story(
  group,
  'the authority moves over a living Machine: it keeps our hook, and is drained in the API that rules it',
  {
    thorough: true,
    scene(fleet) {
      fleet.cluster();
      fleet.copies('worker-1', 'MachineAPI');
      fleet.pod('web', 'node-1', { stopSeconds: 10 });
    },
    async plot(fleet) {
      fleet.moves('worker-1', 'ClusterAPI');
      await fleet.seconds(200);
      fleet.moved('worker-1', 'ClusterAPI');
      await fleet.seconds(200);
      tellHooks(fleet);
      fleet.deleteIn('MachineAPI', 'worker-1');
      await fleet.gone('worker-1');
    },
  },
);

story(
  group,
  'all are released: the copy that does not rule keeps our hook, as OpenShift refuses to have it changed',
  {
    scene(fleet) {
      fleet.cluster();
      fleet.copies('worker-1', 'MachineAPI');
      fleet.copies('worker-2', 'ClusterAPI');
    },
    async plot(fleet) {
      await untilOver(fleet, (site) => release(site, { released: {}, installation: '', isDryRun: false }));
      await fleet.seconds(400);
      for (const name of ['worker-1', 'worker-2']) tellHooks(fleet, name);
    },
  },
);

for (const authority of ['MachineAPI', 'ClusterAPI'] as const)
  story(
    group,
    `phaseout goes for good: the hook watchdog takes the hook off where ${authority} rules, and both copies go`,
    {
      env: alive,
      scene(fleet) {
        fleet.cluster();
        fleet.copies('worker-1', authority);
        fleet.pod('web', 'node-1', { grace: 4_000, stopSeconds: 2_000 });
      },
      async plot(fleet) {
        fleet.startDeadMan();
        fleet.deleteIn('MachineAPI', 'worker-1');
        await fleet.seconds(15);
        fleet.told.say('phaseout is away');
        const back = fleet.away();
        await fleet.gone('worker-1');
        back();
      },
    },
  );

/** One that is asked about before the end of its server, in the API that rules it. */
function anAsked(fleet: TwoApisFleet, authority: Authority): void {
  fleet.cluster();
  fleet.copies('worker-1', authority, { isToTheEnd: true });
  fleet.pod('web', 'node-1', { stopSeconds: 10 });
  fleet.askedInBoth('wipe', { at: 'PreTerminate' });
  fleet.hookFunctions.serve('wipe', ({ attempt }) => ({ state: attempt < 4 ? 'Working' : 'Done' }));
}

for (const [from, to] of [
  ['MachineAPI', 'ClusterAPI'],
  ['ClusterAPI', 'MachineAPI'],
] as const) {
  story(
    group,
    `the authority moves from ${from} over a living Machine: it keeps both hooks, and is asked about in ${to}`,
    {
      kinds: hookDefinitions,
      scene: (fleet) => anAsked(fleet, from),
      async plot(fleet) {
        fleet.moves('worker-1', to);
        await fleet.seconds(100);
        fleet.moved('worker-1', to);
        await fleet.seconds(100);
        fleet.deleteIn(to, 'worker-1');
        await fleet.gone('worker-1');
      },
    },
  );

  story(
    group,
    `the authority moves from ${from} to ${to} while a function is asked before the end of a server`,
    {
      kinds: hookDefinitions,
      scene: (fleet) => anAsked(fleet, from),
      async plot(fleet) {
        fleet.deleteIn(from, 'worker-1');
        await fleet.seconds(30);
        fleet.moves('worker-1', to);
        await fleet.seconds(60);
        fleet.moved('worker-1', to);
        await fleet.gone('worker-1');
      },
    },
  );
}
