import { alive, type BesideFleet } from '../stage/beside/fleet.ts';
import { resources } from '../stage/fleet.ts';
import { isCordoned } from '../stage/sights.ts';
import { besidePeer } from '../stage/story.ts';

const { story } = besidePeer;
const group = 'beside/namespace';
const finalizers = ['cluster.cluster.x-k8s.io'];

/** Workers that are held: one in mid-drain, one alive; the Cluster stays as long as it has Machines. */
function heldWorkers(fleet: BesideFleet): void {
  fleet.cluster();
  fleet.change(resources.clusters, 'blue', { metadata: { finalizers } });
  fleet.held('worker-1');
  fleet.held('worker-2');
  fleet.pods('web', 2, 'node-1', { stopSeconds: 20 });
  fleet.pods('api', 2, 'node-2');
}

function goesWithoutMachines(fleet: BesideFleet): void {
  const { cluster } = fleet.server;
  cluster.watch(resources.machines, ({ type }) => {
    const isThere = cluster.get(resources.clusters, 'fleet', 'blue') !== undefined;
    if (type === 'DELETED' && isThere && cluster.list(resources.machines).length === 0)
      fleet.change(resources.clusters, 'blue', { metadata: { finalizers: null } });
  });
}

story(group, 'the namespace of the Machines is deleted while one is held', {
  env: alive,
  everywhere: true,
  scene: heldWorkers,
  async plot(fleet) {
    goesWithoutMachines(fleet);
    fleet.delete('worker-1');
    const { cluster } = fleet.server;
    await fleet.until('the drain has begun', () => isCordoned(cluster.get('nodes', undefined, 'node-1')!));
    await fleet.seconds(10);
    fleet.told.say('kubectl delete namespace fleet');
    cluster.remove('namespaces', { metadata: { name: 'fleet' } });
    for (const name of ['worker-1', 'worker-2']) await fleet.gone(name);
    await fleet.until(
      'the namespace is gone',
      () => cluster.get('namespaces', undefined, 'fleet') === undefined,
    );
    fleet.told.say('the namespace is gone');
  },
});
