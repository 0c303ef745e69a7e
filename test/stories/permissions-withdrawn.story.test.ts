import { expect, test } from 'vitest';
import type { ClusterStage } from './stage/cluster-stage.ts';
import type { Fleet } from './stage/fleet.ts';
import type { OpenShiftFleet } from './stage/openshift.ts';
import { besideStories, openShift, play, story } from './stage/story.ts';

const group = 'permissions';

function aWorker(fleet: Fleet): void {
  fleet.cluster();
  fleet.worker('worker-1');
  fleet.pods('web', 2, 'node-1', { stopSeconds: 3 });
}

/** The permission comes back after a minute. */
const withdrawn =
  (deed: string, machine: string, secondsAfter?: number) =>
  async (fleet: ClusterStage): Promise<void> => {
    if (secondsAfter !== undefined) {
      fleet.delete(machine);
      await fleet.seconds(secondsAfter);
    }
    const end = fleet.withdraw(deed);
    if (secondsAfter === undefined) fleet.delete(machine);
    await fleet.seconds(60);
    end();
    await fleet.gone(machine);
  };

const evictions = { scene: aWorker, plot: withdrawn('create pods/eviction', 'worker-1') };
const secrets = { scene: aWorker, plot: withdrawn('get secrets', 'worker-1') };
const checkpoints = { scene: aWorker, plot: withdrawn('patch machines', 'worker-1', 1) };
const watches = { scene: aWorker, plot: withdrawn('watch pods', 'worker-1') };
const leases = {
  scene: (fleet: OpenShiftFleet) => fleet.controlPlane(),
  plot: withdrawn('create leases', 'master-1'),
};

story(group, 'evictions that are not permitted for a while', evictions);
story(group, 'a kubeconfig Secret that may not be read for a while', secrets);
story(group, 'a Machine that may not be written for a while', checkpoints);
story(group, 'Pods that may not be watched for a while', watches);
openShift.story(group, 'Leases that may not be taken for a while', leases);

besideStories(() => {
  /** Where the Machine itself does not say it. */
  test.each([
    ['the Secret', secrets, /^Deletion is held up .* cannot get resource \\"secrets\\" in API group \\"\\"/],
    ['the checkpoint', checkpoints, /could not be written: .* cannot patch resource \\"machines\\"/],
  ])('the log says whose permission is lacking for %s', async (_what, told, line) => {
    const { warnings } = await play(told, {});
    expect(warnings).toContainEqual(expect.stringMatching(line));
  });
});
