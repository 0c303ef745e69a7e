import type { DeployOptions } from '../../../../infra/cli/deploy/deploy.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

const labels = { 'app.kubernetes.io/managed-by': 'phaseout' };

/** An object of an installation, in its namespace. */
export const ours = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'phaseout', labels },
  ...more,
});

const namespace: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'phaseout', labels },
};

const broker = ours('eventing.knative.dev/v1', 'Broker', 'phaseout');

export const trigger = (name: string, spec: object = { broker: 'phaseout' }): KubeObject =>
  ours('eventing.knative.dev/v1', 'Trigger', name, { spec });

export const service = (image = 'phaseout:1'): KubeObject =>
  ours('serving.knative.dev/v1', 'Service', 'phaseout', {
    spec: { template: { spec: { containers: [{ image }] } } },
  });

export const configMap = (data: object = { PHASEOUT_TABLE: 'phaseout' }): KubeObject =>
  ours('v1', 'ConfigMap', 'phaseout', { data: { AWS_REGION: 'eu-central-1', ...data } });

export const clusterRole: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'phaseout-management', labels },
};

/** A few objects of the kinds that an installation has. */
export const someObjects: readonly KubeObject[] = [
  namespace,
  configMap(),
  clusterRole,
  broker,
  service(),
  trigger('drain'),
  ours('sources.knative.dev/v1', 'ApiServerSource', 'machines'),
];

export const options = (
  objects: readonly KubeObject[] = someObjects,
  more: Partial<DeployOptions> = {},
): DeployOptions => ({
  render: () => objects,
  namespace: 'phaseout',
  machineApis: undefined,
  unsaid: { namespaces: true, machineApis: true, watchFilter: true, dynamodbLocal: true },
  said: [],
  abandon: false,
  force: false,
  dryRun: false,
  timeoutSeconds: 3_000,
  ...more,
});
