import { providerFinalizer } from '../../../infra/local/controllers/machines/infrastructure.ts';
import type { Cluster, KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { at, textAt } from '../../../infra/local/kubernetes/server/json.ts';
import { resources } from '../../stories/stage/fleet.ts';
import type { World } from '../world.ts';
import { isBeside, isOurName } from './beside.ts';
import {
  annotationsOf,
  type Case,
  caseOf,
  clusterNameOf,
  clusterResource,
  filterLabel,
  finalizersOf,
  isGivenAway,
  isGoing,
  neverStops,
  othersFinalizers,
  ownFinalizers,
  referredBy,
} from './blockers/case.ts';
import { controllerOf } from './blockers/copies.ts';
import { turnsOf } from './blockers/functions.ts';
import { hooksOn } from './blockers/hooks.ts';
import { exclusionOf, isUnproven } from './blockers/owner.ts';
import { isFinished, isLabelledToComplete } from './blockers/verdicts.ts';
import { passHook } from './deeds/functions.ts';
import { listPatch } from './deeds/hooks.ts';
import type { MachinePlan } from './model.ts';

/** Takes away whatever could hold a Machine that is being deleted. */
export function giveIn(world: World, machines: readonly MachinePlan[]): void {
  world.say(
    'everybody',
    'gives in: hooks, pauses, budgets, rules and finalizers go, and volumes are not waited for any more',
  );
  for (const plan of machines) {
    const about = caseOf(world, plan);
    if (about !== undefined) letMachineGo(about);
  }
  world.functions.giveIn();
  for (const rule of world.management.list(resources.rules)) world.management.remove(resources.rules, rule);
  for (const { cluster } of world.clusters.values()) {
    letPodsGo(
      cluster,
      Object.values(world.config.mode).some((mode) => mode !== 'replace'),
    );
    letNodesGo(cluster);
  }
  letOthersBeScheduled(world, machines);
  if (world.config.ownNode !== '') moveElsewhere(world);
}

/** No Machine is the one that phaseout runs on any more. */
function moveElsewhere(world: World): void {
  world.say('an instance', 'runs somewhere else from now on, on no Machine');
  world.config = { ...world.config, ownNode: '' };
  for (const instance of world.instances()) world.kill(instance);
}

/**
 * A cordoned control plane Node holds back the others of OpenShift. The Node of a Machine under deletion stays
 * cordoned: it is ours.
 */
function letOthersBeScheduled(world: World, machines: readonly MachinePlan[]): void {
  const going = machines.filter((plan) => caseOf(world, plan) !== undefined).map(({ node }) => node);
  for (const node of world.management.list('nodes'))
    if (at(node, 'spec', 'unschedulable') === true && !going.includes(node.metadata.name))
      world.management.patch('nodes', node, { spec: { unschedulable: null } });
}

function letMachineGo(about: Case): void {
  const { world, plan, machine } = about;
  bringClusterBack(about);
  for (const { name } of turnsOf(about)) passHook(world, plan, name);
  for (const group of ['infrastructure', 'bootstrap'] as const) {
    const object = plan.api === 'capi' ? referredBy(about, group) : undefined;
    if (object !== undefined) letReferredGo(world, resources[group], object);
  }
  if (plan.api === 'openshift') freeOpenShift(world, plan, machine);
  const others = othersFinalizers(machine, plan);
  // Nothing else lets a mere copy go while its original lives.
  const given = isCopy(about) ? [...others, ownFinalizers[plan.api]] : others;
  const finalizers = finalizersOf(machine).filter((name) => !given.includes(name));
  const labels = isGivenAway(about) ? { [filterLabel]: world.config.watchFilter } : {};
  const metadata = { annotations: freeing(about), labels, finalizers };
  // Beside Cluster API's own controller an exclusion is no consent: the nodeRef goes.
  if (plan.api === 'capi' && isBeside(world, plan) && isUnproven(about))
    world.management.patch(plan.resource, machine, { status: { nodeRef: null } }, 'status');
  // With the last of its finalizers it is gone.
  world.management.patch(plan.resource, machine, { metadata });
}

const isCopy = (about: Case): boolean =>
  about.plan.api === 'capi' &&
  (['infrastructure', 'bootstrap'] as const).some((group) => controllerOf(about, group) !== undefined);

/**
 * Removes hooks and pauses, and excludes the wait for volumes. It also excludes the drain of a Node with an unknown
 * owner.
 */
function freeing(about: Case): Record<string, string | null> {
  const { machine, plan } = about;
  const names = ['cluster.x-k8s.io/paused', 'local.phaseout.dev/never-stops'];
  const hooks = plan.api === 'capi' ? (['pre-drain', 'pre-terminate'] as const) : [];
  const held = [
    ...names,
    ...hooks.flatMap((point) => hooksOn(machine, plan, point).map(({ name }) => name)),
  ].filter((name) => !isOurName(name));
  return {
    ...Object.fromEntries(held.filter((name) => name in annotationsOf(machine)).map((name) => [name, null])),
    ...(plan.api === 'capi' && { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' }),
    ...(plan.api !== 'v1alpha1' && isUnproven(about) && { [exclusionOf(about)]: '' }),
  };
}

/** All hooks go but ours, where that is one that phaseout takes off. */
function freeOpenShift(world: World, plan: MachinePlan, machine: KubeObject): void {
  const { resource } = plan;
  for (const point of ['pre-drain', 'pre-terminate'] as const) {
    const hooks = hooksOn(machine, plan, point);
    const ours = isBeside(world, plan) ? hooks.filter(({ name }) => isOurName(name)) : [];
    if (hooks.length > ours.length) world.management.patch(resource, machine, listPatch(point, ours));
  }
  if (textAt(machine, 'spec', 'authoritativeAPI') === '') return;
  const ruledHere = { authoritativeAPI: 'MachineAPI' };
  world.management.patch(resource, machine, { spec: ruledHere });
  world.management.patch(resource, machine, { status: ruledHere }, 'status');
}

function bringClusterBack({ world, plan, machine, cluster }: Case): void {
  const name = clusterNameOf(plan, machine);
  if (plan.api === 'openshift' || name === '') return;
  const resource = clusterResource(plan);
  if (at(cluster, 'spec', 'paused') === true && cluster !== undefined)
    world.management.patch(resource, cluster, { spec: { paused: false } });
  if (cluster !== undefined || world.management.get(resource, plan.namespace, name) !== undefined) return;
  const [version = ''] = world.management.versions(resource);
  const group = resource.slice('clusters.'.length);
  const metadata = { namespace: plan.namespace, name };
  world.management.create(resource, {
    apiVersion: `${group}/${version}`,
    kind: 'Cluster',
    metadata,
    spec: {},
  });
}

function letReferredGo(world: World, resource: string, object: KubeObject): void {
  const finalizers = finalizersOf(object).filter((name) => name === providerFinalizer);
  const annotations = neverStops(object) ? { 'local.phaseout.dev/never-stops': null } : {};
  world.management.patch(resource, object, { metadata: { finalizers, annotations } });
}

/** Budgets go, Pods stop, and nothing makes them come back to a Node that is to go. */
function letPodsGo(cluster: Cluster, hasPeer: boolean): void {
  const budgets = 'poddisruptionbudgets.policy';
  const attachments = 'volumeattachments.storage.k8s.io';
  for (const budget of cluster.list(budgets)) cluster.remove(budgets, budget);
  for (const set of cluster.list('replicasets.apps'))
    if (at(set, 'spec', 'template', 'spec', 'tolerations') !== undefined)
      cluster.patch('replicasets.apps', set, { spec: { replicas: 0 } });
  for (const one of cluster.list(attachments))
    if (finalizersOf(one).length > 0) cluster.patch(attachments, one, { metadata: { finalizers: null } });
  for (const pod of cluster.list('pods')) letPodGo(cluster, pod, hasPeer);
}

/** A Node of OpenShift's control plane that is still there, and cordoned, holds the next one. */
function letNodesGo(cluster: Cluster): void {
  for (const node of cluster.list('nodes'))
    if (finalizersOf(node).length > 0) cluster.patch('nodes', node, { metadata: { finalizers: null } });
}

/** Cluster API's own controller waits also for one that has completed, until it is gone. */
function letPodGo(cluster: Cluster, pod: KubeObject, hasPeer: boolean): void {
  const annotations = { 'local.phaseout.dev/never-stops': null };
  const isHeld = neverStops(pod) || finalizersOf(pod).length > 0;
  if (isHeld) cluster.patch('pods', pod, { metadata: { annotations, finalizers: null } });
  const { namespace, name } = pod.metadata;
  const isWaitedFor = isLabelledToComplete(pod) && (hasPeer || !isFinished(pod)) && !isGoing(pod);
  if (isWaitedFor && cluster.get('pods', namespace, name) !== undefined) cluster.remove('pods', pod);
}
