import { revisionNames } from '../functions.ts';
import { begin, finish, populate } from '../machines.ts';
import { expectEnd, type Stage } from '../stage.ts';
import type { Step } from '../step.ts';

export const upgrade: Step = {
  name: 'upgrade',
  text: 'another version is rolled out in mid-drain, and the deletion goes on; then back',
  async play(stage) {
    const scene = await stage.scene('upgrade');
    const wishes = { slowMilliseconds: 30_000 };
    await populate(stage, scene, wishes);
    const before = await revisionNames(stage);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    const { seconds } = expectEnd(await stage.deploy(...next(stage)), 0, 'all is ready after');
    const after = await revisionNames(stage);
    const added = after.filter((name) => !before.includes(name));
    if (added.length !== 1) throw new Error(`${added.length} new Revisions: ${added.join(', ')}`);
    stage.note(`upgrade: ${seconds.toFixed(1)} s; ${await finish(scene, wishes)}`);
    scene.chronicle.close();
    expectEnd(await stage.deploy(), 0, 'all is ready after');
  },
};

/** `--set` takes several values: the last one that is given wins. */
function next({ nextImage, storeArguments }: Stage): string[] {
  if (nextImage !== undefined) return ['--image', nextImage];
  const values = storeArguments[0] === '--set' ? storeArguments.slice(1) : [];
  return ['--set', ...values, 'PHASEOUT_LOG_LEVEL=debug'];
}
