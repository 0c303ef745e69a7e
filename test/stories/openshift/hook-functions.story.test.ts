import { hookDefinitions } from '../stage/hook-definitions.ts';
import type { OpenShiftFleet } from '../stage/openshift.ts';
import { openShift } from '../stage/story.ts';

const { story } = openShift;
const group = 'openshift/hook-functions';
const beside = hookDefinitions;
const excluded = { 'machine.openshift.io/exclude-node-draining': '' };

const done = { state: 'Done', message: 'all moved' } as const;

function hooks(fleet: OpenShiftFleet): void {
  fleet.pod('web', 'node-1');
  fleet.deletionHook('move-data', { at: 'PreDrain' });
  fleet.deletionHook('wipe', { at: 'PreTerminate' });
  for (const name of ['move-data', 'wipe'])
    fleet.hookFunctions.serve(name, ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
}

const goes = async (fleet: OpenShiftFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'functions are asked before the drain and before the server goes', {
  beside,
  thorough: true,
  scene(fleet) {
    fleet.machineThatRuns('worker-1');
    hooks(fleet);
  },
  plot: goes,
});

story(group, 'a Machine that is excluded from drains passes over what is before the drain', {
  beside,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: { annotations: excluded } });
    hooks(fleet);
  },
  plot: goes,
});

story(group, 'a Machine that is excluded from drains waits for the only function, before its server goes', {
  beside,
  scene(fleet) {
    fleet.machineThatRuns('worker-1', { metadata: { annotations: excluded } });
    fleet.deletionHook('wipe', { at: 'PreTerminate' });
    fleet.hookFunctions.serve('wipe', ({ attempt }) => (attempt < 2 ? { state: 'Working' } : done));
  },
  plot: goes,
});
