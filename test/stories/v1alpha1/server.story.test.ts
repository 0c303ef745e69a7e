import { whileProvider } from '../stage/plots.ts';
import { original } from '../stage/story.ts';
import type { OriginalFleet } from '../stage/v1alpha1.ts';

const { story } = original;
const group = 'v1alpha1/server';

function aWorker(fleet: OriginalFleet): void {
  fleet.cluster();
  fleet.machineThatRuns('worker-1');
}

story(group, 'a server that takes its time is waited for as the provider asks', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', {
      metadata: { annotations: { 'local.phaseout.dev/stop-seconds': '100' } },
    });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a delete that is accepted ends the wait, whether the server is there or not', {
  scene: aWorker,
  async plot(fleet) {
    fleet.provider.answers({ delete: () => ({ kind: 'accepted' }) });
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});

story(group, 'a provider that asks for time before it can delete', {
  scene: aWorker,
  plot: whileProvider(
    { delete: () => ({ kind: 'retry', afterSeconds: 45, message: 'the volume is busy' }) },
    120,
  ),
});

story(group, 'a delete that fails for a while', {
  thorough: true,
  scene: aWorker,
  plot: whileProvider(
    { delete: () => ({ kind: 'failed', reason: 'DeleteError', message: 'the zone does not answer' }) },
    200,
  ),
});

story(group, 'an invalid configuration is no excuse here', {
  scene(fleet) {
    fleet.cluster();
    fleet.machineThatRuns('worker-1', { status: { addresses: null }, hasServer: false });
  },
  plot: whileProvider(
    { delete: () => ({ kind: 'failed', reason: 'InvalidConfiguration', message: 'unknown region "moon"' }) },
    200,
  ),
});

story(group, 'a provider that nobody can reach for a while', {
  thorough: true,
  scene: aWorker,
  plot: whileProvider({ delete: () => 'unreachable', exists: () => 'unreachable' }, 200),
});
