import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at } from '../../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import type { Fault } from '../../faults/fault.ts';
import { clusterNameOf, isGoing } from '../blockers/case.ts';
import { aClusterOf } from './a-cluster.ts';
import { aMachineOf, aNodeOf, type DeedSetting, deed, nameOf, type Target } from './deed.ts';
import { forAWhile } from './pauses.ts';

function pause(setting: DeedSetting): string | undefined {
  const { world } = setting;
  const found = aClusterOf(setting, ({ plan }) => plan.api === 'capi');
  if (found === undefined || at(found.cluster, 'spec', 'paused') === true) return undefined;
  const { resource, cluster } = found;
  const { namespace, name } = cluster.metadata;
  world.management.patch(resource, cluster, { spec: { paused: true } });
  forAWhile(setting, () => {
    const current = world.management.get(resource, namespace, name);
    if (current === undefined) return;
    world.management.patch(resource, current, { spec: { paused: false } });
    world.say('a user', `lets the Cluster ${nameOf(cluster)} go on`);
  });
  return `pauses the Cluster ${nameOf(cluster)}`;
}

/** With a finalizer, as Cluster API's own controller keeps one on it until all of its Machines are gone. */
function remove(setting: DeedSetting): string | undefined {
  const { world, random } = setting;
  const found = aClusterOf(setting);
  if (found === undefined || isGoing(found.cluster)) return undefined;
  const { resource, cluster } = found;
  const stays = random.chance(0.7);
  if (stays)
    world.management.patch(resource, cluster, { metadata: { finalizers: ['cluster.cluster.x-k8s.io'] } });
  world.management.remove(resource, cluster);
  return `deletes the Cluster ${nameOf(cluster)}${stays ? '' : ', which is gone at once'}`;
}

/** As when a Cluster goes, before any client knows of that. */
function removeControlPlane(setting: DeedSetting): string | undefined {
  const { management } = setting.world;
  const controlPlaneOf = ({ plan, machine }: Target): KubeObject | undefined =>
    management.get(resources.controlPlanes, plan.namespace, clusterNameOf(plan, machine));
  const target = aMachineOf(setting, (one) => one.plan.api === 'capi' && controlPlaneOf(one) !== undefined);
  const controlPlane = target && controlPlaneOf(target);
  if (controlPlane === undefined || isGoing(controlPlane)) return undefined;
  const metadata = { finalizers: ['controlplane.example/members'] };
  management.patch(resources.controlPlanes, controlPlane, { metadata });
  management.remove(resources.controlPlanes, controlPlane);
  return `deletes the control plane ${nameOf(controlPlane)}`;
}

/** What users do with clusters as a whole. */
export const clusterDeeds: readonly Fault[] = [
  deed({ name: 'cluster-paused', about: 'Clusters are paused, and most of them go on later.', run: pause }),
  deed({
    name: 'cluster-deleted',
    about: 'A Cluster is deleted, with a finalizer or without one.',
    most: 1,
    run: remove,
  }),
  deed({
    name: 'control-plane-deleted',
    about: 'The control plane of a Cluster is deleted, and the Cluster is not.',
    most: 1,
    run: removeControlPlane,
  }),
  deed({
    name: 'namespace-deleted',
    about: 'A namespace of Pods is deleted.',
    most: 1,
    run(setting) {
      const where = aNodeOf(setting);
      const name = setting.random.oneOf(['shop', 'bank']);
      const cluster = where && setting.world.cluster(where.plan.host);
      const namespace = cluster?.get('namespaces', undefined, name);
      if (where === undefined || namespace === undefined || isGoing(namespace)) return undefined;
      cluster?.remove('namespaces', namespace);
      return `deletes the namespace ${name} of ${where.plan.host}`;
    },
  }),
];
