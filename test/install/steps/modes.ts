import { machines } from '../../cluster/stories/objects.ts';
import { begin, finish, isHooked, populate, untilHooked, worker } from '../machines.ts';
import { expectEnd } from '../stage.ts';
import { needsPeer, type Step } from '../step.ts';

export const wrongMode: Step = {
  name: 'wrong-mode',
  text: 'a mode that does not fit what runs is refused',
  async play(stage) {
    const [mode, said] =
      stage.mode === 'beside'
        ? ['replace', "Cluster API's own controller runs"]
        : ['beside', "Cluster API's own controller does not run"];
    expectEnd(await stage.deploy('--mode', mode), 1, said);
  },
};

export const modes: Step = {
  name: 'modes',
  text: 'from beside to observe and back with deletions under way: each ends, and hooks go and come',
  notHere: needsPeer,
  async play(stage) {
    const drained = await stage.scene('to-observe');
    const wishes = { slowMilliseconds: 20_000 };
    await populate(stage, drained, wishes);
    const living = await stage.scene('living');
    await populate(stage, living, { pods: 1 });
    await begin(drained);
    await drained.untilSeen('Pod slow asked to go');
    expectEnd(await stage.deploy('--mode', 'observe'), 0, 'all is ready after');
    if (await isHooked(living)) throw new Error('a living Machine has kept the hook');
    stage.note(`to observe in mid-drain: ${await finish(drained, wishes)}`);

    const watched = await stage.scene('to-beside');
    await populate(stage, watched, { ...wishes, isUnhooked: true });
    await begin(watched);
    await watched.untilSeen('Pod slow asked to go');
    expectEnd(await stage.deploy('--mode', 'beside'), 0, 'all is ready after');
    await untilHooked(living);
    stage.note(`to beside in mid-drain: ${await finish(watched, wishes)}`);
    await living.remove(machines, worker);
    await living.untilGone(machines, worker);
    for (const { chronicle } of [drained, living, watched]) chronicle.close();
  },
};
