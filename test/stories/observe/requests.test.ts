import { expect, it } from 'vitest';
import { besidePeer, besideStories } from '../stage/story.ts';
import { watching } from '../stage/watching.ts';

const { play } = besidePeer;
const held = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/held';
const hour = 3_600;

besideStories(() => {
  it('an hour behind a budget costs 150 requests', async () => {
    const { requests } = await play(
      {
        ...watching,
        scene(fleet) {
          fleet.cluster();
          fleet.worker('worker-1');
          fleet.replicas('web', 20, 'node-1');
          fleet.budget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
        },
        async plot(fleet) {
          fleet.delete('worker-1');
          await fleet.seconds(hour);
        },
      },
      {},
    );
    // Beside what the sweep asks, which lists all Machines at once.
    expect(requests).toMatchObject({
      'get machines.cluster.x-k8s.io': 24,
      'get clusters.cluster.x-k8s.io': 24,
      'get nodes': 24,
      'get secrets': 6,
      'list machinedrainrules.cluster.x-k8s.io': 24,
      'list poddisruptionbudgets.policy': 24,
      'list pods': 24,
    });
  });

  it('an hour at a hook costs 24 requests', async () => {
    const { requests } = await play(
      {
        ...watching,
        scene(fleet) {
          fleet.cluster();
          fleet.worker('worker-1', { metadata: { annotations: { [held]: 'somebody' } } });
        },
        async plot(fleet) {
          fleet.delete('worker-1');
          await fleet.seconds(hour);
        },
      },
      {},
    );
    expect(requests).toMatchObject({ 'get machines.cluster.x-k8s.io': 24 });
    expect(requests).not.toHaveProperty('list pods');
  });
});
