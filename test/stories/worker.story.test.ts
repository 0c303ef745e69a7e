import { story } from './stage/story.ts';

const group = 'worker';

story(group, 'a plain worker with 20 Pods', {
  thorough: true,
  scene(fleet) {
    fleet.cluster();
    fleet.worker('worker-1');
    fleet.pods('web', 20, 'node-1');
  },
  async plot(fleet) {
    fleet.delete('worker-1');
    await fleet.gone('worker-1');
  },
});
