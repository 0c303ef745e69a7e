import { type BesideOpenShiftFleet, etcd, ours } from '../stage/beside/openshift-fleet.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/hooks';
const env = { PHASEOUT_BESIDE_CONTROL_PLANES: 'true' };
const etcdLast = { ...env, PHASEOUT_HOOKS_AFTER: etcd.name };
const skip = { 'cluster.x-k8s.io/drain': 'skip' };

function aMaster(fleet: BesideOpenShiftFleet): void {
  fleet.held('master-1', { role: 'master', preDrain: [etcd] });
  fleet.pod('api', 'master-1');
}

story(group, 'the hook of etcd goes before ours: we begin then', {
  env,
  thorough: true,
  scene: aMaster,
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(90);
    fleet.takesOff('master-1', etcd);
    await fleet.gone('master-1');
  },
});

story(group, 'the hook of etcd goes together with ours', {
  env,
  scene: aMaster,
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.seconds(90);
    fleet.setHooks('master-1', 'preDrain', []);
    await fleet.gone('master-1');
  },
});

story(group, 'the hook of etcd goes after ours, where that is said: it holds the peer', {
  env: etcdLast,
  thorough: true,
  hasRules: true,
  scene(fleet) {
    aMaster(fleet);
    fleet.pod('agent', 'master-1', { labels: skip });
  },
  async plot(fleet) {
    fleet.delete('master-1');
    await fleet.until('our hook is off', () => !fleet.isHeld('master-1'));
    fleet.told.say(`hooks of master-1: ${fleet.hooks('master-1').join(', ')}`);
    await fleet.seconds(90);
    fleet.takesOff('master-1', etcd);
    await fleet.gone('master-1');
  },
});

story(group, 'no limit ends the drain: our hook holds as long as a Pod is left', {
  scene(fleet) {
    fleet.held('worker-1');
    fleet.pod('stuck', 'node-1', { grace: 4_000, stopSeconds: 2_000 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(1_900);
    fleet.told.say(`our hook holds it: ${fleet.isHeld('worker-1')}`);
    await fleet.gone('worker-1');
  },
});

story(group, 'somebody takes our hook off in mid-drain', {
  scene(fleet) {
    fleet.held('worker-1');
    fleet.pod('web', 'node-1', { grace: 200, stopSeconds: 60 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.takesOff('worker-1', ours);
    await fleet.gone('worker-1');
  },
});

story(group, 'others take our hook off a living Machine twice: it is left off', {
  scene: () => undefined,
  async plot(fleet) {
    fleet.machineThatRuns('worker-1');
    for (const time of ['once', 'twice']) {
      await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
      fleet.told.say(`somebody takes our hook off, ${time}`);
      fleet.takesOff('worker-1', ours);
      await fleet.seconds(200);
    }
    fleet.told.say(`our hook is on it: ${fleet.isHeld('worker-1')}`);
  },
});
