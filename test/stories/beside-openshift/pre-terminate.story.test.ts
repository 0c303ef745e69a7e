import { type BesideOpenShiftFleet, namespace, ours } from '../stage/beside/openshift-fleet.ts';
import { hookDefinitions } from '../stage/hook-definitions.ts';
import { besideOpenShift } from '../stage/story.ts';

const { story } = besideOpenShift;
const group = 'beside-openshift/pre-terminate';
const beside = hookDefinitions;
const excluded = 'machine.openshift.io/exclude-node-draining';
const backup = { name: 'backup', owner: 'team/backup' };

const done = { state: 'Done', message: 'wiped' } as const;

function aWorker(fleet: BesideOpenShiftFleet, parts: object = {}): void {
  fleet.heldToTheEnd('worker-1', parts);
  fleet.pod('web', 'node-1');
  fleet.deletionHook('wipe', { at: 'PreTerminate' });
  fleet.hookFunctions.serve('wipe', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
}

const goes = async (fleet: BesideOpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a function is asked once the drain is over, and before the server goes', {
  beside,
  thorough: true,
  scene: (fleet) => aWorker(fleet),
  plot: goes,
});

story(group, 'an excluded Machine passes the drain over, and its function is asked', {
  beside,
  scene: (fleet) => aWorker(fleet, { metadata: { annotations: { [excluded]: '' } } }),
  plot: goes,
});

story(group, 'a function is asked after the hooks of others', {
  beside,
  scene: (fleet) => aWorker(fleet, { preTerminate: [backup] }),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(90);
    fleet.setHooks('worker-1', 'preTerminate', [ours]);
    await fleet.gone('worker-1');
  },
});

story(group, 'the DeletionHook is deleted before its place is reached, and nothing is asked', {
  beside,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.server.cluster.remove('deletionhooks.phaseout.dev', { metadata: { name: 'wipe', namespace } });
    await goes(fleet);
  },
});

story(group, 'all instances are replaced while the function is at work', {
  beside,
  scene: (fleet) => aWorker(fleet),
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(20);
    fleet.told.say('all instances are replaced');
    fleet.restart();
    await fleet.gone('worker-1');
  },
});
