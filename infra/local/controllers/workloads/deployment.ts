import { createHash } from 'node:crypto';
import { sortedFields } from '../../../../shared/text/byte-order.ts';
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
import { progressDeadline, statusOf } from './deployment-status.ts';
import { byController, isFinished } from './pods.ts';
import { ownedBy, patchStatus } from './replicas.ts';
import { isRecreated, pausedStep, recreatingStep, rollingStep, type Sized, wantedOf } from './rollout.ts';

const resource = 'deployments.apps';
const setResource = 'replicasets.apps';
const hashLabel = 'pod-template-hash';

const revision = 'deployment.kubernetes.io/revision';

/**
 * Rolls a Deployment out from its old ReplicaSets to that of its template, step by step. Scaled in mid-rollout, it does not
 * spread the difference over its sets in proportion, as the real controller does.
 */
export function deployments(world: World): void {
  const all = world.informer<Workload>(resource);
  const sets = world.informer<Workload>(setResource);
  const pods = world.informer<Pod>('pods');

  const queue = world.queue('deployment', (key) => {
    const deployment = all.get(key);
    if (deployment === undefined) return;
    const owned = (): Workload[] => sets.in(byController, uidOf(deployment));
    const isNew = !isTerminating(deployment) && step(world, deployment, owned());
    const current = all.get(key) ?? deployment;
    const rollout = { newest: newestOf(current, owned()), owned: owned(), isNew, now: world.clock.now() };
    patchStatus(world, resource, current, statusOf(current, rollout));
    const deadline = progressDeadline(all.get(key) ?? current);
    // As the real controller: a second later, so that no rounding hides that it is over.
    if (deadline !== undefined) queue.addAt(key, deadline + 1_000);
  });

  const addOwner = (object: KubeObject | undefined): void => {
    const owner = controllerOf(object ?? { metadata: { name: '' } });
    if (owner?.kind === 'Deployment') queue.add(toKey(object?.metadata.namespace, owner.name));
  };
  all.onChange(({ key }) => queue.add(key));
  sets.onChange(({ before, after }) => addOwner(after ?? before));
  // The last old Pod of a recreation goes without a change of its ReplicaSet.
  pods.onChange(({ before, after }) => {
    const owner = after === undefined && before !== undefined ? controllerOf(before) : undefined;
    if (owner?.kind === 'ReplicaSet') addOwner(sets.get(toKey(before?.metadata.namespace, owner.name)));
  });
}

/** Whether it made a ReplicaSet. */
function step(world: World, deployment: Workload, owned: readonly Workload[]): boolean {
  const newest = newestOf(deployment, owned);
  const old = owned
    .filter((set) => set !== newest)
    .toSorted((one, other) => compare(one.metadata.creationTimestamp, other.metadata.creationTimestamp));
  const sizes = sizesFor(world, deployment, { newest, old });
  old.forEach((set, index) => resize(world, set, sizes.old[index] ?? 0));
  if (newest !== undefined) resize(world, newest, sizes.newest);
  if (deployment.spec?.paused) return false;
  const isDue = newest === undefined && (!isRecreated(deployment) || sizes.newest > 0);
  const number = 1 + Math.max(0, ...old.map(revisionOf));
  if (isDue) world.create(setResource, replicaSetOf(deployment, { replicas: sizes.newest, number }));
  if (newest !== undefined && revisionOf(newest) < number) world.patch(setResource, newest, revised(number));
  const shown = Math.max(number, newest === undefined ? 0 : revisionOf(newest));
  if ((isDue || newest !== undefined) && revisionOf(deployment) !== shown)
    world.patch(resource, deployment, revised(shown), 'status');
  return isDue;
}

const compare = (one = '', other = ''): number => (one < other ? -1 : Number(one > other));

function sizesFor(
  world: World,
  deployment: Workload,
  { newest, old }: { newest: Workload | undefined; old: readonly Workload[] },
): ReturnType<typeof rollingStep> {
  const wanted = wantedOf(deployment);
  const sized = newest === undefined ? { replicas: 0, available: 0 } : sizedOf(newest);
  const others = old.map(sizedOf);
  if (deployment.spec?.paused) return pausedStep(wanted, sized, others);
  if (!isRecreated(deployment)) return rollingStep(wanted, sized, others);
  const pods = old.flatMap((set) => [...world.informer<Pod>('pods').in(byController, uidOf(set))]);
  return recreatingStep(wanted, {
    newest: sized,
    old: others,
    isOldRunning: pods.some((pod) => !isFinished(pod)),
  });
}

const sizedOf = ({ spec, status }: Workload): Sized => ({
  replicas: spec?.replicas ?? 1,
  available: Number(status?.['availableReplicas'] ?? 0),
});

function newestOf(deployment: Workload, owned: readonly Workload[]): Workload | undefined {
  const template = templateKey(deployment.spec?.template);
  return owned.find((set) => templateKey(set.spec?.template) === template);
}

const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.annotations?.[revision] ?? 0);

const revised = (number: number): object => ({
  metadata: { annotations: { [revision]: String(number) } },
});

function resize(world: World, set: Workload, replicas: number): void {
  if (isTerminating(set) || set.spec?.replicas === replicas) return;
  world.patch(setResource, set, { spec: { replicas } });
}

function replicaSetOf(
  deployment: Workload,
  { replicas, number }: { replicas: number; number: number },
): KubeObject {
  const template = templateKey(deployment.spec?.template);
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
      annotations: { [revision]: String(number) },
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas,
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
  return JSON.stringify([labels, annotations, template?.spec], sortedFields);
}
