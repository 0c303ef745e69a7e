import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { Random } from '../random.ts';
import { before } from '../scenario/build/capi-machine.ts';
import { createWithStatus } from '../scenario/build/create.ts';
import { nodeConditions } from '../scenario/build/power.ts';
import type { World } from '../world.ts';

export const deployments = 'deployments.apps';
const replicaSets = 'replicasets.apps';
/** Where they are in each cluster; nothing else is there. */
export const rollouts = 'rollouts';
/** A Node that no Machine is for. New Pods come up there. */
export const spareNode = 'spare';

/** A Deployment with its Pods, and the budgets over them. */
export interface DeploymentPlan {
  host: string;
  name: string;
  replicas: number;
  /** The Nodes of its first Pods, one after the other. */
  nodes: readonly string[];
  labels: Readonly<Record<string, string>>;
  strategy: object;
  isPaused: boolean;
  deadlineSeconds: number;
  /** How long a Pod runs before it is Ready. */
  readySeconds: number;
  hostPort: number | undefined;
  /** The access mode of a claim that all its Pods use. */
  accessMode: string | undefined;
  budgets: readonly object[];
}

const rolling = (maxSurge: number | string, maxUnavailable: number | string): object => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

/** The first four may be restarted without a gap, if the numbers are rounded as Kubernetes does. */
const strategies: readonly object[] = [
  rolling(1, 0),
  rolling('100%', 0),
  rolling('50%', '25%'),
  { type: 'RollingUpdate' },
  rolling(1, 1),
  rolling('100%', 1),
  rolling('50%', '50%'),
  rolling(0, 1),
  rolling(0, 0),
  { type: 'Recreate' },
];

/** They let no Pod go. */
const never = (replicas: number): readonly (readonly object[])[] => [
  [{ minAvailable: replicas }],
  [{ minAvailable: '100%' }],
  [{ maxUnavailable: 0 }],
];

/** Some of these let one go. Two budgets are none that the API understands. */
const others = (replicas: number): readonly (readonly object[])[] => [
  [{ maxUnavailable: 1 }],
  [{ maxUnavailable: 1 }, { minAvailable: replicas }],
  [],
];

/** Most of them may be restarted; the others fail one condition or more. */
export function drawDeployment(
  random: Random,
  host: string,
  name: string,
  nodes: readonly string[],
): DeploymentPlan {
  const replicas = random.oneOf([1, 1, 1, 2, 3]);
  const strategy = random.chance(0.4) ? rolling(1, 0) : random.oneOf(strategies);
  const first = random.between(0, nodes.length - 1);
  const isTogether = random.chance(0.5);
  const at = (index: number): number => (first + (isTogether ? 0 : index)) % nodes.length;
  return {
    host,
    name,
    replicas,
    nodes: Array.from({ length: replicas }, (_, index) => nodes[at(index)] ?? ''),
    labels: random.chance(0.05) ? { 'phaseout.dev/rollout-restart': 'false' } : {},
    strategy,
    isPaused: random.chance(0.05),
    deadlineSeconds: random.oneOf([20, 60, 600]),
    readySeconds: random.oneOf([0, 0, 3, 15, 120]),
    hostPort: random.chance(0.05) ? 8080 : undefined,
    accessMode: random.chance(0.1) ? random.oneOf(['ReadWriteOnce', 'ReadWriteMany']) : undefined,
    budgets: random.oneOf(random.chance(0.75) ? never(replicas) : others(replicas)),
  };
}

/** Makes them as they are after a first rollout. What names a Node that is not there begins somewhere else. */
export function buildDeployment(world: World, plan: DeploymentPlan): void {
  const { host, name, replicas } = plan;
  const cluster = world.cluster(host);
  if (cluster.get('namespaces', undefined, rollouts) === undefined)
    cluster.create('namespaces', { metadata: { name: rollouts, labels: { team: rollouts } } });
  const app = { app: name };
  const template = templateOf(plan);
  if (plan.accessMode !== undefined)
    cluster.create('persistentvolumeclaims', {
      metadata: { namespace: rollouts, name },
      spec: { accessModes: [plan.accessMode] },
    });
  const made = cluster.create(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: rollouts, name, labels: plan.labels },
    spec: {
      replicas,
      selector: { matchLabels: app },
      template,
      strategy: plan.strategy,
      progressDeadlineSeconds: plan.deadlineSeconds,
      ...(plan.isPaused && { paused: true }),
    },
  });
  const labels = { ...app, 'pod-template-hash': 'first' };
  const metadata = { ...template.metadata, labels };
  const set = cluster.create(replicaSets, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { namespace: rollouts, name: `${name}-first`, labels, ownerReferences: [ownerOf(made)] },
    spec: { replicas, selector: { matchLabels: labels }, template: { ...template, metadata } },
  });
  const there = plan.nodes.filter((node) => cluster.get('nodes', undefined, node) !== undefined);
  for (const [index, nodeName] of there.entries())
    cluster.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        labels,
        namespace: rollouts,
        name: `${name}-first-${index + 1}`,
        ownerReferences: [ownerOf(set)],
      },
      spec: { ...template.spec, nodeName },
    });
  for (const [index, spec] of plan.budgets.entries())
    cluster.create('poddisruptionbudgets.policy', {
      metadata: { namespace: rollouts, name: `${name}-${index + 1}` },
      spec: { ...spec, selector: { matchLabels: app } },
    });
}

function templateOf({ name, readySeconds, hostPort, accessMode }: DeploymentPlan) {
  const volumes =
    accessMode === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
  return {
    metadata: {
      labels: { app: name },
      annotations: readySeconds === 0 ? {} : { 'local.phaseout.dev/ready-seconds': String(readySeconds) },
    },
    spec: {
      containers: [
        {
          name: 'app',
          image: 'registry.example/app:1',
          ...(hostPort !== undefined && { ports: [{ hostPort }] }),
        },
      ],
      terminationGracePeriodSeconds: 30,
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

const ownerOf = ({ apiVersion = '', kind = '', metadata: { name, uid = '' } }: KubeObject) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
});

/** A Ready Node that new Pods may come to. */
export function buildSpareNode(world: World, host: string): void {
  createWithStatus(world.cluster(host), 'nodes', {
    metadata: { name: spareNode, labels: { 'kubernetes.io/hostname': spareNode } },
    spec: { providerID: `cloud:///${spareNode}` },
    status: { conditions: nodeConditions('True', before) },
  });
}
