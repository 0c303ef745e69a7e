import { makeCluster, makeWorker } from '../../cluster/stories/objects.ts';
import { begin, finish, isHooked, populate, worker } from '../machines.ts';
import { expectEnd } from '../stage.ts';
import type { Step } from '../step.ts';

export const oneNamespace: Step = {
  name: 'namespaces',
  text: 'installed for one namespace, then for all again: no other Machine is touched meanwhile',
  async play(stage) {
    const inside = await stage.scene('inside');
    const outside = await stage.scene('outside');
    expectEnd(await stage.deploy('--namespaces', inside.namespace), 0, 'all is ready after');
    await populate(stage, inside);
    await makeCluster(outside);
    await makeWorker(outside, worker);
    await begin(inside);
    stage.note(`one namespace: ${await finish(inside)}`);
    if (await isHooked(outside)) throw new Error('a Machine of another namespace has the hook');
    expectEnd(
      await stage.deploy(),
      1,
      `it was installed for the Machines of some namespaces only: --namespaces ${inside.namespace} leaves it so`,
    );
    expectEnd(await stage.deploy('--all-namespaces'), 0, 'all is ready after');
    for (const { chronicle } of [inside, outside]) chronicle.close();
  },
};
