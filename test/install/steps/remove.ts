import { steps as kinds } from '../../../infra/cli/deploy/kinds.ts';
import { nameOf } from '../../../infra/cli/deploy/object-name.ts';
import { collectionOf } from '../../../shared/adapters/kubernetes/request.ts';
import { begin, finish, populate } from '../machines.ts';
import { expectEnd, type Stage } from '../stage.ts';
import type { Step } from '../step.ts';

export const removeAll: Step = {
  name: 'remove',
  text: 'remove takes everything away; beside, a Machine in mid-drain goes on with its own controller',
  isAlways: true,
  async play(stage) {
    const isBeside = stage.mode === 'beside';
    const scene = await stage.scene('remove');
    const wishes = { slowMilliseconds: 15_000 };
    await populate(stage, scene, wishes);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    if (!isBeside) {
      expectEnd(await stage.phaseout('remove', '--with-data'), 1, 'would wait for ever');
      await finish(scene, wishes);
    }
    const { seconds } = expectEnd(await stage.phaseout('remove', '--with-data'), 0);
    stage.note(`remove: ${seconds.toFixed(1)} s${isBeside ? `; ${await finish(scene, wishes)}` : ''}`);
    scene.chronicle.close();
    const left = await ours(stage);
    if (left.length > 0) throw new Error(`left there: ${left.join(', ')}`);
    expectEnd(await stage.phaseout('remove'), 0);
  },
};

/** Everything that has the label of the installation. */
async function ours({ site }: Stage): Promise<string[]> {
  const lists = await Promise.all(
    [...kinds.flat(), { group: '', kind: 'Namespace' }].map(async ({ group, kind }) => {
      const resource = await site.kubernetes.discover(group, kind);
      if (resource === undefined) return [];
      const labelSelector = 'app.kubernetes.io/managed-by=phaseout';
      const query = new URLSearchParams({ labelSelector }).toString();
      const { code, body } = await site.ask({ method: 'GET', path: collectionOf(resource).path, query });
      if (code !== 200) throw new Error(`${resource.plural} could not be listed: ${code}`);
      const { items } = Object(body);
      return (Array.isArray(items) ? items : []).map((one) => nameOf({ ...one, kind }));
    }),
  );
  return lists.flat();
}
