import type { KubeObject } from '../../infra/local/kubernetes/objects/cluster.ts';
import type { Manifest } from '../../infra/terminal/manifests.ts';

export interface FleetSize {
  machines: number;
  podsPerMachine: number;
  /** Each Machine's Pods are spread over so many drain orders. */
  orders: number;
}

const namespace = 'fleet';

/** A cluster of one control plane Machine and many workers with Pods of their own. */
export function fleet({ machines, podsPerMachine, orders }: FleetSize): Manifest[] {
  const workers = Array.from({ length: machines }, (_, index) => `worker-${index}`);
  const objects = [
    object('v1', 'Namespace', { name: namespace }),
    object('v1', 'Namespace', { name: 'shop' }),
    object('cluster.x-k8s.io/v1beta2', 'Cluster', { name: 'blue', namespace }, { spec: { paused: false } }),
    ...Array.from({ length: orders - 1 }, (_, index) => rule(index + 1)),
    ...server('control-plane-0', { 'cluster.x-k8s.io/control-plane': '' }),
    ...workers.flatMap((name) => [...server(name), ...podsOn(name, podsPerMachine, orders)]),
  ];
  return objects.map((each) => ({ from: 'bench', object: each }));
}

/** Two workers with half of a Deployment's 20 Pods each. Its budget lets one Pod at a time be missing. */
export function behindOneBudget(): Manifest[] {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'registry.example/web:1' }];
  const template = { metadata: { labels }, spec: { containers } };
  const metadata = { name: 'web', namespace: 'shop' };
  const selector = { matchLabels: labels };
  const objects = [
    object('apps/v1', 'Deployment', metadata, { spec: { replicas: 20, selector, template } }),
    object('policy/v1', 'PodDisruptionBudget', metadata, { spec: { maxUnavailable: 1, selector } }),
  ];
  const others = objects.map((each) => ({ from: 'bench', object: each }));
  return [...fleet({ machines: 2, podsPerMachine: 0, orders: 1 }), ...others];
}

const object = (
  apiVersion: string,
  kind: string,
  metadata: KubeObject['metadata'],
  rest: object = {},
): KubeObject => ({ apiVersion, kind, metadata, ...rest });

const rule = (order: number): KubeObject =>
  object(
    'cluster.x-k8s.io/v1beta2',
    'MachineDrainRule',
    { name: `wave-${order}`, namespace },
    {
      spec: {
        drain: { behavior: 'Drain', order },
        pods: [{ selector: { matchLabels: { wave: `${order}` } } }],
      },
    },
  );

function server(name: string, labels: Record<string, string> = {}): KubeObject[] {
  const spec = { providerID: `local://${name}` };
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  const infrastructure = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'LocalMachine', name };
  const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'LocalBootstrapConfig', name };
  const metadata = {
    name,
    namespace,
    finalizers: ['machine.cluster.x-k8s.io'],
    labels: { 'cluster.x-k8s.io/cluster-name': 'blue', ...labels },
  };
  return [
    object('v1', 'Node', { name }, { spec, status: ready }),
    object('infrastructure.cluster.x-k8s.io/v1beta2', 'LocalMachine', { name, namespace }),
    object('bootstrap.cluster.x-k8s.io/v1beta2', 'LocalBootstrapConfig', { name, namespace }),
    object('cluster.x-k8s.io/v1beta2', 'Machine', metadata, {
      spec: {
        clusterName: 'blue',
        providerID: spec.providerID,
        bootstrap: { configRef, dataSecretName: name },
        infrastructureRef: infrastructure,
        deletion: { nodeDeletionTimeoutSeconds: 10 },
      },
      status: {
        phase: 'Running',
        nodeRef: { name },
        initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
      },
    }),
  ];
}

const podsOn = (nodeName: string, count: number, orders: number): KubeObject[] =>
  Array.from({ length: count }, (_, index) =>
    object(
      'v1',
      'Pod',
      { name: `${nodeName}-pod-${index}`, namespace: 'shop', labels: { wave: `${index % orders}` } },
      { spec: { nodeName, containers: [{ name: 'app', image: 'registry.example/app:1' }] } },
    ),
  );
