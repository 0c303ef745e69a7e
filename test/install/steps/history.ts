import { begin, finish, populate, worker } from '../machines.ts';
import { expectEnd } from '../stage.ts';
import { needsOwnStore, type Step } from '../step.ts';

/** Of a Machine that is gone, by the command alone: it finds the store in the cluster. */
export const history: Step = {
  name: 'history',
  text: 'status and explain tell of a deletion under way, and history of it once it is over',
  notHere: needsOwnStore,
  async play(stage) {
    const scene = await stage.scene('history');
    const wishes = { pods: 1, slowMilliseconds: 10_000 };
    await populate(stage, scene, wishes);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    const name = `${scene.namespace}/${worker}`;
    expectEnd(await stage.phaseout('status'), 0, name);
    expectEnd(await stage.phaseout('explain', name), 0, 'slow');
    await finish(scene, wishes);
    expectEnd(await stage.phaseout('history', name), 0, name, 'drain', `${scene.namespace}/slow`);
    scene.chronicle.close();
  },
};
