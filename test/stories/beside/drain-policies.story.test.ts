import type { BesideFleet } from '../stage/beside/fleet.ts';
import { policyDefinitions } from '../stage/hook-definitions.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/drain-policies';
const beside = policyDefinitions;
const names = ['worker-1', 'worker-2', 'worker-3'];

function heldWorkers(fleet: BesideFleet): void {
  fleet.cluster();
  for (const name of names) {
    fleet.held(name);
    fleet.pod(name.replace('worker', 'web'), name.replace('worker', 'node'));
  }
}

const allGo = async (fleet: BesideFleet): Promise<void> => {
  for (const name of names) fleet.delete(name);
  for (const name of names) await fleet.gone(name);
};

story(group, 'three Machines go one after the other, each to its end by its own controller', {
  beside,
  thorough: true,
  scene(fleet) {
    heldWorkers(fleet);
    fleet.drainPolicy('workers', { maxUnavailable: 1 });
    fleet.limitsBegun(1);
  },
  plot: allGo,
});

story(group, 'a Machine that no hook of ours stops counts from its deletion', {
  beside,
  scene(fleet) {
    fleet.cluster();
    fleet.held('worker-1');
    fleet.worker('worker-2');
    fleet.pod('slow', 'node-2', { stopSeconds: 40, grace: 100 });
    fleet.drainPolicy('workers', { maxUnavailable: 1 });
  },
  async plot(fleet) {
    fleet.delete('worker-2');
    await fleet.seconds(5);
    fleet.delete('worker-1');
    await fleet.gone('worker-2');
    await fleet.gone('worker-1');
  },
});

story(group, 'all instances are replaced while a Machine waits', {
  beside,
  scene(fleet) {
    heldWorkers(fleet);
    fleet.drainPolicy('workers', { maxUnavailable: 1 });
    fleet.limitsBegun(1);
  },
  async plot(fleet) {
    for (const name of names) fleet.delete(name);
    await fleet.seconds(2);
    fleet.told.say('all instances are replaced');
    fleet.restart();
    for (const name of names) await fleet.gone(name);
  },
});
