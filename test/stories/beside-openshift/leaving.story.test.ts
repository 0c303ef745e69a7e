import { release } from '../../../infra/cli/release/release.ts';
import { remove } from '../../../infra/cli/remove/remove.ts';
import { alive } from '../stage/beside/fleet.ts';
import { install, installed, knative } from '../stage/beside/installed.ts';
import { type BesideOpenShiftFleet, namespace, ours } from '../stage/beside/openshift-fleet.ts';
import { goesForGood } from '../stage/beside/scenes.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/leaving';
const variables = { ...alive, PHASEOUT_MODE: 'openshift:beside' };

function inMidDrain(fleet: BesideOpenShiftFleet): void {
  fleet.held('worker-1');
  fleet.pod('web', 'node-1', { grace: 4_000, stopSeconds: 3_000 });
}

story(group, 'phaseout goes for good, and after half an hour the hook watchdog takes the hook off', {
  env: alive,
  thorough: true,
  scene(fleet) {
    inMidDrain(fleet);
    fleet.held('worker-2');
  },
  plot: goesForGood,
});

story(group, 'one Machine is released in mid-drain, and a living one gets no hook again', {
  scene(fleet) {
    inMidDrain(fleet);
    fleet.held('worker-2');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(15);
    const released = ['worker-1', 'worker-2'].map((name) => ({ namespace, name }));
    await untilOver(fleet, (site) => release(site, { released, installation: '', isDryRun: false }));
    await fleet.seconds(400);
    fleet.told.say(`worker-2 lives, and has the hook: ${fleet.isHeld('worker-2')}`);
    await fleet.gone('worker-1');
  },
});

story(group, 'a copy that Cluster API rules keeps the hook when all are released', {
  scene(fleet) {
    fleet.held('worker-1', { status: { authoritativeAPI: 'ClusterAPI' } });
    fleet.held('worker-2');
  },
  async plot(fleet) {
    await untilOver(fleet, (site) => release(site, { released: {}, installation: '', isDryRun: false }));
    for (const name of ['worker-1', 'worker-2'])
      fleet.told.say(`${name} has the hook: ${fleet.isHeld(name)}`);
  },
});

story(group, 'an upgrade from replace to beside, with a deletion under way', {
  env: { PHASEOUT_MODE: 'openshift:replace' },
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    fleet.machineThatRuns('worker-2');
    fleet.pod('web', 'node-1', { grace: 200, stopSeconds: 60 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say("OpenShift's controllers start, and phaseout is beside them");
    fleet.reinstall();
    fleet.startPeer();
    await fleet.gone('worker-1');
    await fleet.until('the hook is on', () => fleet.isHeld('worker-2'));
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
  },
});

story(group, 'phaseout is removed: templates with the hook are named, and deletions go on with the peer', {
  env: alive,
  beside: knative,
  scene(fleet) {
    for (const name of ['workers', 'plain']) fleet.machineSet(name, { replicas: 0 });
    const template = { spec: { lifecycleHooks: { preDrain: [ours] } } };
    fleet.change('machinesets.machine.openshift.io', 'workers', { spec: { template } });
    for (const number of [1, 2, 3]) {
      fleet.held(`worker-${number}`);
      fleet.pod(`web-${number}`, `node-${number}`, { grace: 100, stopSeconds: 50 });
    }
    installed(fleet, variables, namespace);
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.seconds(10);
    fleet.told.say('phaseout is to be removed');
    await untilOver(fleet, (site) =>
      remove(site, { namespace: 'phaseout', abandon: false, withData: false }),
    );
    for (const name of ['worker-1', 'worker-2']) await fleet.gone(name);
    fleet.told.say(`worker-3 lives, and has the hook: ${fleet.isHeld('worker-3')}`);
    fleet.told.say('phaseout is installed again');
    install(fleet, variables);
    await fleet.until('the hook is on', () => fleet.isHeld('worker-3'));
  },
});
