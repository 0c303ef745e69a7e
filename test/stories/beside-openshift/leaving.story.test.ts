import { release } from '../../../infra/cli/release/release.ts';
import { alive } from '../stage/beside/fleet.ts';
import { type BesideOpenShiftFleet, namespace } from '../stage/beside/openshift-fleet.ts';
import { goesForGood } from '../stage/beside/scenes.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/leaving';

function inMidDrain(fleet: BesideOpenShiftFleet): void {
  fleet.held('worker-1');
  fleet.pod('web', 'node-1', { grace: 4_000, stopSeconds: 3_000 });
}

story(group, 'phaseout goes for good, and after half an hour the dead man takes the hook off', {
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
