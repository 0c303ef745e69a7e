import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import type { World } from '../../world.ts';
import type {
  Blueprint,
  BudgetBlueprint,
  NodeBlueprint,
  PodBlueprint,
  SetBlueprint,
  VolumeBlueprint,
} from '../blueprint.ts';
import { before } from './capi-machine.ts';
import { createWithStatus } from './create.ts';
import { nodeConditions } from './power.ts';

const containers = [{ name: 'app', image: 'registry.example/app:1' }];
const everything = [{ operator: 'Exists' }];

/** Nodes, and what runs on them. */
export function buildWorkloads(world: World, { nodes, volumes, sets, pods, budgets }: Blueprint): void {
  for (const node of nodes) buildNode(world, node);
  for (const volume of volumes) buildVolume(world, volume);
  for (const set of sets) buildSet(world, set);
  for (const pod of pods) buildPod(world, pod);
  for (const budget of budgets) buildBudget(world, budget);
}

function buildNode(world: World, { host, name, providerID, labels, finalizers }: NodeBlueprint): void {
  createWithStatus(world.cluster(host), 'nodes', {
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels }, finalizers: [...finalizers] },
    spec: { providerID },
    status: { conditions: nodeConditions('True', before) },
  });
}

export function buildSet(world: World, set: SetBlueprint): void {
  const { host, kind, namespace, name, replicas, nodeSelector } = set;
  const labels = { app: name };
  world.cluster(host).create(kind === 'ReplicaSet' ? 'replicasets.apps' : 'daemonsets.apps', {
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace, name },
    spec: {
      ...(kind === 'ReplicaSet' && { replicas }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...set.labels }, annotations: { ...set.annotations } },
        spec: {
          containers,
          ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...nodeSelector } }),
          ...(set.toleratesAll && { tolerations: everything }),
        },
      },
    },
  });
}

export function buildPod(world: World, pod: PodBlueprint): KubeObject {
  const { host, namespace, name, state } = pod;
  const cluster = world.cluster(host);
  const created = cluster.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      name,
      labels: { ...pod.labels },
      annotations: { ...pod.annotations },
      finalizers: [...pod.finalizers],
      ownerReferences: ownersOf(world, pod),
    },
    spec: { nodeName: pod.node, containers, terminationGracePeriodSeconds: 30, volumes: volumesOf(pod) },
  });
  if (state === 'Succeeded' || state === 'Failed')
    cluster.patch('pods', created, { status: { phase: state } }, 'status');
  if (state === 'terminating') cluster.remove('pods', created);
  return created;
}

function volumesOf({ claims, hasLocalStorage }: PodBlueprint): object[] {
  const claimed = claims.map((claimName, index) => ({
    name: `data-${index}`,
    persistentVolumeClaim: { claimName },
  }));
  return hasLocalStorage ? [...claimed, { name: 'scratch', emptyDir: {} }] : claimed;
}

function ownersOf(world: World, { host, namespace, replicaSet, job }: PodBlueprint) {
  if (job !== undefined)
    return [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name: job,
        uid: jobUid(world, host, namespace, job),
        controller: true,
      },
    ];
  if (replicaSet === undefined) return [];
  const { uid = '' } = world.cluster(host).get('replicasets.apps', namespace, replicaSet)?.metadata ?? {};
  return [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: replicaSet, uid, controller: true }];
}

/** Made when its first Pod is. A simulation has no Job controller, so it makes no Pods of its own. */
function jobUid(world: World, host: string, namespace: string, name: string): string {
  const cluster = world.cluster(host);
  const job =
    cluster.get('jobs.batch', namespace, name) ??
    cluster.create('jobs.batch', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { namespace, name },
      spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
    });
  return job.metadata.uid ?? '';
}

export function buildBudget(world: World, { host, namespace, name, spec }: BudgetBlueprint): void {
  const metadata = { namespace, name };
  const kind = 'PodDisruptionBudget';
  world
    .cluster(host)
    .create('poddisruptionbudgets.policy', { apiVersion: 'policy/v1', kind, metadata, spec });
}

/** A volume that is bound to its claim; who uses it attaches it. */
function buildVolume(world: World, { host, namespace, name, stuckOn }: VolumeBlueprint): void {
  const cluster = world.cluster(host);
  const capacity = { storage: '1Gi' };
  const accessModes = ['ReadWriteOnce'];
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name };
  const csi = { driver: 'csi.example', volumeHandle: `${namespace}-${name}` };
  const volumeName = `pv-${namespace}-${name}`;
  cluster.create('persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName },
    spec: { capacity, accessModes, csi, claimRef, persistentVolumeReclaimPolicy: 'Retain' },
  });
  createWithStatus(cluster, 'persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name },
    spec: { accessModes, resources: { requests: capacity }, volumeName },
    status: { phase: 'Bound' },
  });
  if (stuckOn !== undefined) stick(world, { host, node: stuckOn, volume: volumeName });
}

/** Somebody's finalizer keeps the attachment, as a driver does that cannot detach. */
function stick(world: World, { host, node, volume }: { host: string; node: string; volume: string }): void {
  const cluster = world.cluster(host);
  const created = cluster.create('volumeattachments.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `stuck-${volume}`, finalizers: ['csi.example/detach'] },
    spec: { attacher: 'csi.example', nodeName: node, source: { persistentVolumeName: volume } },
  });
  cluster.patch('volumeattachments.storage.k8s.io', created, { status: { attached: true } }, 'status');
}
