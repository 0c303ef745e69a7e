import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { at, listOf, textAt } from '../../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../../stories/stage/fleet.ts';
import { type Case, isGoing, referredBy } from './case.ts';
import { controllerOf } from './copies.ts';

/** The Machine's Node; undefined where it has none (any more). */
export function nodeOf(about: Case): KubeObject | undefined {
  const name = textAt(about.machine, 'status', 'nodeRef', 'name');
  if (name !== '') return about.nodes.get('nodes', undefined, name);
  return about.plan.api === 'capi' ? nodeByProviderId(about) : undefined;
}

function nodeByProviderId(about: Case): KubeObject | undefined {
  const own = textAt(about.machine, 'spec', 'providerID');
  // What another Machine controls says nothing of this one.
  const isOthers = controllerOf(about, 'infrastructure') !== undefined;
  const server = isOthers ? undefined : referredBy(about, 'infrastructure');
  const providerID = own !== '' ? own : textAt(server, 'spec', 'providerID');
  if (providerID === '') return undefined;
  const found = about.nodes.list('nodes').filter((node) => textAt(node, 'spec', 'providerID') === providerID);
  return found.length === 1 ? found[0] : undefined;
}

export const isUnreachable = (node: KubeObject): boolean => readyOf(node) === 'Unknown';

export const readyOf = (object: KubeObject): string =>
  textAt(
    listOf(at(object, 'status', 'conditions')).find((one) => textAt(one, 'type') === 'Ready'),
    'status',
  );

/** Cluster API drains and deletes Nodes only while there is a control plane to speak of. */
export function mayTouchNode(about: Case): boolean {
  const { plan, cluster, machine } = about;
  const hasNode = textAt(machine, 'status', 'nodeRef', 'name') !== '' || nodeOf(about) !== undefined;
  if (!hasNode) return false;
  if (plan.api !== 'capi') return true;
  if (cluster !== undefined && isGoing(cluster)) return false;
  const controlPlane = controlPlaneOf(about);
  if (controlPlane !== undefined && isGoing(controlPlane)) return false;
  if (at(controlPlane, 'status', 'externalManagedControlPlane') === true) return true;
  return hasLivingMembers(about);
}

function controlPlaneOf({ world, plan, cluster }: Case): KubeObject | undefined {
  const name = textAt(cluster, 'spec', 'controlPlaneRef', 'name');
  return name === '' ? undefined : world.management.get(resources.controlPlanes, plan.namespace, name);
}

function hasLivingMembers({ world, plan, machine }: Case): boolean {
  const own = machine.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
  return world.management.list(plan.resource, { namespace: plan.namespace }).some((other) => {
    const labels = other.metadata.labels ?? {};
    const isMember = labels['cluster.x-k8s.io/control-plane'] !== undefined;
    return isMember && labels['cluster.x-k8s.io/cluster-name'] === own && !isGoing(other);
  });
}
