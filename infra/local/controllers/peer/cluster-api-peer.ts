import type { Instant } from '../../../../shared/time/clock.ts';
import { groupOfReference } from '../../kubernetes/discovery/resource.ts';
import type { Cluster, KubeObject } from '../../kubernetes/objects/cluster.ts';
import { textAt } from '../../kubernetes/server/json.ts';
import { keyOf, type Node, toKey, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { clusterApi, type Machine } from '../machines/apis.ts';
import { bootstrapConfig, infrastructure } from './owned-objects.ts';
import { reconcile } from './reconcile.ts';

/** How long a drain or volumes are left alone, whatever happens meanwhile. */
const againMilliseconds = 20_000;

/**
 * Plays the controller of Cluster API's Machines (1.13) where `peer` is set. It puts its finalizer on the living. It
 * carries a deletion through hooks, drain, volumes, infrastructure, bootstrap configuration and Node. Recordings of
 * the real one hold it to the truth. It writes a Machine's status once in a pass. Left out are MachineDrainRules,
 * KubeadmControlPlane's own rules, and the limit on deleting a Node.
 */
export function clusterApiPeer(world: World): void {
  if (!world.settings.peer) return;
  const machines = world.informer<Machine>(clusterApi.machines);
  const clusters = world.informer('clusters.cluster.x-k8s.io');
  const deferred = new Map<string, Instant>();

  const queue = world.queue('cluster-api-peer', (key) => {
    const machine = machines.get(key);
    const cluster = machine && clusters.get(clusterOf(machine));
    // The real one fails without the Cluster, and a Machine whose Cluster is gone stays.
    if (machine === undefined || cluster === undefined) return;
    const until = deferred.get(uidOf(machine)) ?? 0;
    if (until > world.clock.now()) return queue.addAt(key, until);
    if (reconcile({ world, nodes: nodesOf(cluster) }, machine, cluster) !== 'again') return;
    world.settings.onPeerPass?.(key);
    const again = world.clock.now() + againMilliseconds;
    deferred.set(uidOf(machine), again);
    queue.addAt(key, again);
  });

  const nodesOf = workloadsOf(world, (nodes) =>
    nodes.informer<Node>('nodes').onChange(({ key }) => {
      for (const machine of machines.in(byNodeRef, key)) queue.add(keyOf(machine));
    }),
  );
  machines.follow(queue, (uid) => deferred.delete(uid));
  clusters.onChange(({ key }) => {
    for (const machine of machines.in(byCluster, key)) queue.add(keyOf(machine));
  });
  // It does not watch control planes: a Machine that a hook holds does not hear that its own is going.
  world.informers.each((informer) => {
    if (!groups.some((group) => informer.resource.endsWith(`.${group}`))) return;
    informer.onChange(({ before, after }) => {
      const object = after ?? before;
      const owner =
        object && machines.in(byOwned, ownedKey(object.metadata.namespace, object, object.metadata.name));
      for (const machine of owner ?? []) queue.add(keyOf(machine));
    });
  });
}

const groups = ['infrastructure.cluster.x-k8s.io', 'bootstrap.cluster.x-k8s.io'];

const clusterOf = ({ metadata, spec }: Machine): string => toKey(metadata.namespace, spec?.clusterName ?? '');
const byCluster = (machine: Machine): readonly string[] => [clusterOf(machine)];
const byNodeRef = ({ status }: Machine): readonly string[] => [status?.nodeRef?.name ?? ''];
const byOwned = (machine: Machine): readonly string[] =>
  [infrastructure, bootstrapConfig].map(({ reference }) => {
    const to = reference(machine);
    return ownedKey(machine.metadata.namespace, to, textAt(to, 'name'));
  });

/** Of an object, and of a reference to it. */
const ownedKey = (namespace: string | undefined, of: unknown, name: string): string =>
  [groupOfReference(of), textAt(of, 'kind'), toKey(namespace, name)].join(' ');

/**
 * Says where the Nodes of a Cluster's Machines are: beside the Machines, unless the settings name another cluster.
 * `opened` is told of each place once.
 */
function workloadsOf(world: World, opened: (nodes: World) => void): (cluster: KubeObject) => World {
  const known = new Map<Cluster, World>();
  opened(world);
  return ({ metadata }) => {
    const found = world.settings.workload(metadata);
    if (found === undefined) return world;
    const before = known.get(found);
    if (before !== undefined) return before;
    const nodes = world.beside(found);
    known.set(found, nodes);
    opened(nodes);
    return nodes;
  };
}
