import { policyDefinitions } from '../stage/hook-definitions.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/drain-policies';
const beside = policyDefinitions;
const names = ['worker-1', 'worker-2', 'worker-3'];

function workers(fleet: OpenShiftFleet): void {
  for (const name of names) {
    fleet.machineThatRuns(name);
    fleet.pod(name.replace('worker', 'web'), name.replace('worker', 'node'));
  }
  fleet.drainPolicy('workers', { maxUnavailable: 1 });
  fleet.limitsBegun(1);
}

const allGo = async (fleet: OpenShiftFleet): Promise<void> => {
  for (const name of names) fleet.delete(name);
  for (const name of names) await fleet.gone(name);
};

story(group, 'three Machines that are deleted at once go one after the other', {
  beside,
  thorough: true,
  scene: workers,
  plot: allGo,
});

story(group, 'in a partition, in which no Node is Ready, they do the same', {
  beside,
  scene(fleet) {
    workers(fleet);
    for (const name of names) fleet.silence(name.replace('worker', 'node'));
  },
  plot: allGo,
});

story(group, 'a healthy Machine waits while the Node of a living one is not Ready', {
  beside,
  scene: workers,
  async plot(fleet) {
    fleet.silence('node-2');
    fleet.delete('worker-1');
    await fleet.seconds(30);
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.gone('worker-1');
  },
});
