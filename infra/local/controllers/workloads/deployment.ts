import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import {
  controllerOf,
  isTerminating,
  type Pod,
  type PodTemplate,
  toKey,
  uidOf,
  type Workload,
} from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { byController, isActive } from './pods.ts';
import { followOwned, ownedBy, patchStatus, podFrom, replicaStatus, surplus } from './replicas.ts';

const resource = 'deployments.apps';
const setResource = 'replicasets.apps';
const hashLabel = 'pod-template-hash';

/** Keeps one ReplicaSet of the Deployment's template at its size and the others at none. Nothing is rolled out slowly. */
export function deployments(world: World): void {
  const all = world.informer<Workload>(resource);
  const sets = world.informer<Workload>(setResource);

  const queue = world.queue('deployment', (key) => {
    const deployment = all.get(key);
    if (deployment === undefined) return;
    const owned = (): Workload[] => sets.in(byController, uidOf(deployment));
    if (!isTerminating(deployment) && !deployment.spec?.paused) keepReplicaSet(world, deployment, owned());
    patchStatus(world, resource, deployment, totals(deployment, owned()));
  });

  all.onChange(({ key }) => queue.add(key));
  sets.onChange(({ before, after }) => {
    const owner = controllerOf(after ?? before ?? { metadata: { name: '' } });
    if (owner?.kind === 'Deployment') queue.add(toKey((after ?? before)?.metadata.namespace, owner.name));
  });
}

function keepReplicaSet(world: World, deployment: Workload, owned: readonly Workload[]): void {
  const template = templateKey(deployment.spec?.template);
  const current = owned.find((set) => templateKey(set.spec?.template) === template);
  if (current === undefined) world.create(setResource, replicaSetOf(deployment, template));
  for (const set of owned) resize(world, set, set === current ? (deployment.spec?.replicas ?? 1) : 0);
}

function resize(world: World, set: Workload, replicas: number): void {
  if (isTerminating(set) || set.spec?.replicas === replicas) return;
  world.patch(setResource, set, { spec: { replicas } });
}

function replicaSetOf(deployment: Workload, template: string): KubeObject {
  const hash = createHash('sha256').update(template).digest('hex').slice(0, 10);
  const labels = { ...deployment.spec?.template?.metadata?.labels, [hashLabel]: hash };
  const selector = deployment.spec?.selector;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas: deployment.spec?.replicas ?? 1,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: {
        ...deployment.spec?.template,
        metadata: { ...deployment.spec?.template?.metadata, labels },
      },
    },
  };
}

// The label that only ReplicaSets have is left out, so that one from another cluster is recognised, whatever its hash.
function templateKey(template: PodTemplate | undefined): string {
  const { [hashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  const annotations = template?.metadata?.annotations ?? {};
  return JSON.stringify([labels, annotations, template?.spec], inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function totals(deployment: Workload, owned: readonly Workload[]): Record<string, number> {
  const sum = (field: string): number =>
    owned.reduce((total, set) => total + Number(set.status?.[field] ?? 0), 0);
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: sum('replicas'),
    updatedReplicas: sum('replicas'),
    readyReplicas: sum('readyReplicas'),
    availableReplicas: sum('availableReplicas'),
  };
}

/** Keeps as many Pods as asked for; a terminating Pod is replaced at once, as the real controller does. */
export function replicaSets(world: World): void {
  const sets = world.informer<Workload>(setResource);
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('replicaset', (key) => {
    const set = sets.get(key);
    if (set === undefined) return;
    if (!isTerminating(set)) keepReplicas(world, set, pods.in(byController, uidOf(set)).filter(isActive));
    const kept = pods.in(byController, uidOf(set));
    const counts = replicaStatus(set, kept);
    patchStatus(world, setResource, set, { ...counts, fullyLabeledReplicas: counts['replicas'] });
  });
  followOwned(world, setResource, 'ReplicaSet', queue);
}

function keepReplicas(world: World, set: Workload, active: readonly Pod[]): void {
  const wanted = set.spec?.replicas ?? 1;
  for (let count = active.length; count < wanted; count += 1)
    world.create('pods', podFrom(set, set.spec?.template));
  for (const pod of surplus(active, active.length - wanted)) world.remove('pods', pod);
}
