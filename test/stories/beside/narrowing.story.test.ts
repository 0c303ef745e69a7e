import { type DeployOptions, deploy } from '../../../infra/cli/deploy/deploy.ts';
import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import { besideObjects, installed, knative } from '../stage/beside/installed.ts';
import { inMidDrain } from '../stage/beside/scenes.ts';
import { untilOver } from '../stage/beside/terminal.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/narrowing';

const how: Omit<DeployOptions, 'render' | 'said'> = {
  namespace: 'phaseout',
  machineApis: undefined,
  unsaid: { namespaces: true, machineApis: true, watchFilter: true, dynamodbLocal: true },
  abandon: false,
  force: true,
  dryRun: false,
  timeoutSeconds: 60,
};

/** Installs it once more, with these variables. */
function redeployed(fleet: BesideFleet, variables: Record<string, string>): Promise<void> {
  fleet.told.say(`deploy, with ${JSON.stringify(variables)}`);
  const objects = besideObjects({ ...alive, ...variables });
  const said = Object.keys(variables);
  return untilOver(fleet, (site) => deploy(site, { ...how, render: () => objects, said }));
}

/** One in mid-drain, one that lives, and one of each that goes on being selected. */
function narrowed(label: string, variables: Record<string, string>) {
  return {
    env: alive,
    beside: knative,
    scene(fleet: BesideFleet) {
      inMidDrain(fleet);
      fleet.held('worker-2');
      const metadata = { labels: { [label]: 'mine' } };
      fleet.held('worker-3', { metadata });
      fleet.held('worker-4', { metadata });
      fleet.pod('api', 'node-3', { stopSeconds: 40 });
      installed(fleet, alive);
    },
    async plot(fleet: BesideFleet) {
      fleet.delete('worker-1');
      fleet.delete('worker-3');
      await fleet.seconds(10);
      await redeployed(fleet, variables);
      await fleet.gone('worker-1');
      await fleet.gone('worker-3');
      for (const name of ['worker-2', 'worker-4'])
        fleet.told.say(`${name} lives, and has the hook: ${fleet.isHeld(name)}`);
    },
  };
}

story(group, 'to the Machines of a watch filter', {
  ...narrowed('cluster.x-k8s.io/watch-filter', { PHASEOUT_WATCH_FILTER: 'mine' }),
});

story(group, 'to the Machines of a selector', {
  ...narrowed('team', { PHASEOUT_BESIDE_SELECTOR: 'team=mine' }),
});
