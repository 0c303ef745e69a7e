import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { management } from '../../simulation/platform/clusters.ts';
import { ourHook, ourName } from '../../simulation/scenario/beside.ts';
import { kubeconfigOf } from '../../stories/stage/carriage.ts';
import { object } from './object.ts';
import { podsOn, type Scenario, sharedOf, shop } from './pods.ts';

export const machinesResource = 'machines.cluster.x-k8s.io';
export const namespace = 'fleet';
const clusterName = 'blue';

interface FleetParts {
  scenario: Scenario;
  machines: number;
  pods: number;
  /** They have our hook, for they are deleted beside Cluster API's own controller. */
  isHeld: boolean;
}

export const workerName = (index: number): string => `worker-${index}`;

/** A cluster of one control plane Machine and many workers, whose Pods run. */
export function buildFleet(server: Pick<ApiServer, 'restore'>, parts: FleetParts): void {
  const { scenario, machines, pods, isHeld } = parts;
  const workers = Array.from({ length: machines }, (_, index) => workerName(index));
  const hook = { [ourHook]: ourName, 'phaseout.dev/registered': '1' };
  const objects = [
    object('v1', 'Namespace', { name: namespace }),
    object('v1', 'Namespace', { name: shop }),
    object('cluster.x-k8s.io/v1beta2', 'Cluster', { name: clusterName, namespace }, { spec: {} }),
    secret(),
    ...sharedOf(scenario, pods, namespace),
    ...serverOf('control-plane-0', { labels: { 'cluster.x-k8s.io/control-plane': '' } }),
    ...workers.flatMap((name) => [
      ...serverOf(name, isHeld ? { annotations: hook } : {}),
      ...podsOn(scenario, name, pods),
    ]),
  ];
  for (const each of objects) server.restore(each);
}

type Metadata = KubeObject['metadata'];

const secret = (): KubeObject =>
  object(
    'v1',
    'Secret',
    { namespace, name: `${clusterName}-kubeconfig` },
    {
      type: 'Opaque',
      data: { value: Buffer.from(kubeconfigOf(management)).toString('base64') },
    },
  );

const kinds = {
  infrastructure: 'GenericInfrastructureMachine',
  bootstrap: 'GenericBootstrapConfig',
} as const;

function serverOf(name: string, marks: Pick<Metadata, 'labels' | 'annotations'>): KubeObject[] {
  const providerID = `local://${name}`;
  const refersTo = (group: keyof typeof kinds): object => ({
    apiGroup: `${group}.cluster.x-k8s.io`,
    kind: kinds[group],
    name,
  });
  const metadata = {
    name,
    namespace,
    finalizers: ['machine.cluster.x-k8s.io'],
    ...marks,
    labels: { 'cluster.x-k8s.io/cluster-name': clusterName, ...marks.labels },
  };
  return [
    object(
      'v1',
      'Node',
      { name },
      { spec: { providerID }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ),
    object('infrastructure.cluster.x-k8s.io/v1beta2', kinds.infrastructure, { name, namespace }),
    object('bootstrap.cluster.x-k8s.io/v1beta2', kinds.bootstrap, { name, namespace }),
    object('cluster.x-k8s.io/v1beta2', 'Machine', metadata, {
      spec: {
        clusterName,
        providerID,
        bootstrap: { configRef: refersTo('bootstrap'), dataSecretName: name },
        infrastructureRef: refersTo('infrastructure'),
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
