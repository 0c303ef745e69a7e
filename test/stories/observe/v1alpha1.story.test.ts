import { original } from '../stage/story.ts';
import { machines, type OriginalFleet } from '../stage/v1alpha1.ts';
import { watching } from '../stage/watching.ts';

const { story } = original;
const group = 'observe/v1alpha1';

function aWorkerBehindABudget(fleet: OriginalFleet): void {
  fleet.cluster();
  fleet.machineThatRuns('worker-1');
  fleet.replicas('web', 2, 'node-1');
  fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
}

story(group, 'a budget blocks nothing where nothing is drained', {
  ...watching,
  also: ['original-peer'],
  thorough: true,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});

story(group, 'a provider refuses for a while', {
  ...watching,
  also: ['original-peer'],
  scene(fleet) {
    aWorkerBehindABudget(fleet);
    fleet.machineThatRuns('worker-2', {
      metadata: { annotations: { 'local.phaseout.dev/provider-fails': 'delete=DeleteError:2' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-2');
    await fleet.gone('worker-2');
    await fleet.seconds(25);
  },
});

story(group, 'a deletion that somebody gives up: the finalizer is taken off by hand', {
  ...watching,
  scene: aWorkerBehindABudget,
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(100);
    fleet.told.say('somebody takes all finalizers off');
    fleet.change(machines, 'worker-1', { metadata: { finalizers: null } });
    await fleet.gone('worker-1');
    await fleet.seconds(25);
  },
});
