import { releaseLeft } from '../../../infra/cli/deploy/release-left.ts';
import type { BesideFleet } from '../stage/beside/fleet.ts';
import type { BesideOpenShiftFleet } from '../stage/beside/openshift-fleet.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { besideOpenShift, besidePeer } from '../stage/story.ts';
import { watching } from '../stage/watching.ts';

const { story } = besidePeer;
const group = 'observe/modes';
const beside = { PHASEOUT_MODE: 'capi:beside' };
const besideOnOpenShift = { PHASEOUT_MODE: 'openshift:beside' };
const observe = { PHASEOUT_MODE: 'observe' };

const configMap = (data: Record<string, string>) => ({
  kind: 'ConfigMap',
  metadata: { name: 'phaseout' },
  data,
});

/** As `deploy` does at its end. */
const hooksGo = (fleet: BesideFleet | BesideOpenShiftFleet, before = beside): Promise<void> =>
  untilOver(fleet, (site) => releaseLeft(site, { before: [configMap(before)], after: [configMap(observe)] }));

/** A deletion begins in each mode. */
async function changesModes(
  fleet: BesideFleet | BesideOpenShiftFleet,
  besideThen: Record<'PHASEOUT_MODE', string>,
): Promise<void> {
  fleet.delete('worker-1');
  await fleet.seconds(50);
  fleet.told.say('beside now');
  fleet.reinstall(besideThen);
  await fleet.until('the hooks are on', () => fleet.isHeld('worker-2') && fleet.isHeld('worker-3'));
  fleet.delete('worker-2');
  await fleet.seconds(30);
  fleet.told.say('only watching now');
  fleet.reinstall(observe);
  await hooksGo(fleet, besideThen);
  fleet.delete('worker-3');
  for (const name of three) await fleet.gone(name);
  await fleet.seconds(25);
}

const three = ['worker-1', 'worker-2', 'worker-3'];
const slow = { grace: 300, stopSeconds: 150 };

story(group, 'observe, then beside, then observe, with deletions in flight', {
  ...watching,
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    for (const name of three) {
      fleet.worker(name);
      fleet.pod(`web-${name}`, name.replace('worker', 'node'), slow);
    }
  },
  plot: (fleet) => changesModes(fleet, beside),
});

besideOpenShift.story(group, 'on OpenShift: observe, then beside, then observe, with deletions in flight', {
  ...watching,
  thorough: true,
  scene(fleet) {
    for (const name of three) {
      fleet.machineThatRuns(name);
      fleet.pod(`web-${name}`, name.replace('worker', 'node'), slow);
    }
  },
  plot: (fleet) => changesModes(fleet, besideOnOpenShift),
});

story(group, 'nobody has taken our hook off as beside ended', {
  ...watching,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.pod('web', 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('the hooks are taken off');
    await hooksGo(fleet);
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});
