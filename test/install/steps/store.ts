import type { Resource } from '../../../shared/kubernetes/client.ts';
import { begin, finish, populate } from '../machines.ts';
import { home, type Stage } from '../stage.ts';
import { needsOwnStore, type Step } from '../step.ts';

const deployments: Resource = { group: 'apps', version: 'v1', plural: 'deployments' };
const store = { namespace: home, name: 'phaseout-dynamodb' };

export const storeAway: Step = {
  name: 'store-away',
  text: 'the store goes away in mid-drain, and the deletion goes on; another one begins and ends without it',
  notHere: needsOwnStore,
  async play(stage) {
    const scene = await stage.scene('store-away');
    const wishes = { slowMilliseconds: 15_000 };
    await populate(stage, scene, wishes);
    await begin(scene);
    await scene.untilSeen('Pod slow asked to go');
    await scale(stage, 0);
    stage.note(`the store goes away: ${await finish(scene, wishes)}`);
    const without = await stage.scene('without-store');
    await populate(stage, without);
    await begin(without);
    stage.note(`without the store: ${await finish(without)}`);
    await scale(stage, 1);
    for (const { chronicle } of [scene, without]) chronicle.close();
  },
};

async function scale({ site, until }: Stage, replicas: number): Promise<void> {
  const written = await site.kubernetes.mergePatch(deployments, store, { spec: { replicas } });
  if (written.kind !== 'written') throw new Error(`the store's Deployment: ${written.kind}`);
  await until(`${replicas} instances of the store`, async () => {
    const found = await site.kubernetes.get(deployments, store);
    return (Object(found?.['status']).availableReplicas ?? 0) === replicas ? true : undefined;
  });
}
