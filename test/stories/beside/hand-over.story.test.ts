import { type BesideFleet, hook } from '../stage/beside/fleet.ts';
import { agents } from '../stage/scenes.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/hand-over';

export const goes = async (fleet: BesideFleet): Promise<void> => {
  fleet.delete('worker-1');
  await fleet.gone('worker-1');
};

story(group, 'a Machine that gets the hook by its event and is deleted', {
  thorough: true,
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.worker('worker-1');
    fleet.pods('web', 3, 'node-1');
    agents(fleet);
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
    await fleet.seconds(3);
    await goes(fleet);
  },
});

story(group, 'a Machine that is made with the hook, by the policy', {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.held('worker-1');
    fleet.pods('web', 3, 'node-1');
    agents(fleet);
    await fleet.seconds(200);
    await goes(fleet);
  },
});

story(group, 'a Machine that is made with the hook and deleted at once', {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.held('worker-1');
    fleet.pods('web', 2, 'node-1');
    await goes(fleet);
  },
});

story(group, 'a Machine that gets the hook from the sweep', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  async plot(fleet) {
    await fleet.until('the hook is on', () => fleet.isHeld('worker-1'));
    await goes(fleet);
  },
});

story(group, 'a deletion without the hook is left to the peer', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1');
  },
  plot: goes,
});

story(group, 'a registration that races the deletion', {
  scene: (fleet) => fleet.cluster(),
  async plot(fleet) {
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1');
    await goes(fleet);
  },
});

story(group, 'a hook of ours that somebody sets late', {
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 2, 'node-1', { stopSeconds: 40 });
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.seconds(10);
    fleet.annotate('worker-1', { [hook]: 'somebody' });
    await fleet.seconds(60);
    fleet.annotate('worker-1', { [hook]: null });
    await fleet.gone('worker-1');
  },
});
