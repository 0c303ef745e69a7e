import { release } from '../../../infra/cli/release/release.ts';
import { remove } from '../../../infra/cli/remove/remove.ts';
import { alive } from '../stage/beside/fleet.ts';
import { install, installed, knative } from '../stage/beside/installed.ts';
import { inMidDrain } from '../stage/beside/scenes.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/leaving';
const twenty = Array.from({ length: 20 }, (_, index) => `worker-${index + 1}`);

story(group, 'phaseout is removed while twenty Machines are being deleted', {
  env: alive,
  beside: knative,
  scene(fleet) {
    fleet.cluster();
    for (const name of twenty) {
      fleet.held(name);
      fleet.pod(`web-${name}`, name.replace('worker', 'node'), { grace: 100, stopSeconds: 50 });
    }
    fleet.held('worker-21');
    installed(fleet, alive);
  },
  async plot(fleet) {
    for (const name of twenty) fleet.delete(name);
    await fleet.seconds(10);
    fleet.told.say('phaseout is to be removed');
    await untilOver(fleet, (site) =>
      remove(site, { namespace: 'phaseout', abandon: false, withData: false }),
    );
    for (const name of twenty) await fleet.gone(name);
    fleet.told.say(`worker-21 lives, and has the hook: ${fleet.isHeld('worker-21')}`);
    fleet.told.say('phaseout is installed again');
    install(fleet, alive);
    await fleet.until('the hook is on', () => fleet.isHeld('worker-21'));
  },
});

story(group, 'one Machine is released in mid-drain', {
  thorough: true,
  scene(fleet) {
    inMidDrain(fleet);
    fleet.held('worker-2');
    fleet.pod('api', 'node-2', { stopSeconds: 20 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    fleet.delete('worker-2');
    await fleet.seconds(15);
    fleet.told.say('worker-1 is to be released');
    const released = [{ namespace: 'fleet', name: 'worker-1' }];
    await untilOver(fleet, (site) => release(site, { released, installation: '', isDryRun: false }));
    await fleet.gone('worker-1');
    await fleet.gone('worker-2');
  },
});

story(group, 'a living Machine is released, and gets no hook again', {
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    const released = [{ namespace: 'fleet', name: 'worker-1' }];
    await untilOver(fleet, (site) => release(site, { released, installation: '', isDryRun: false }));
    await fleet.seconds(400);
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
