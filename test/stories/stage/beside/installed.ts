import * as z from 'zod';
import { customResourceDefinition } from '../../../../infra/local/kubernetes/crds/definition.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { recordAt } from '../../../../shared/dialects/fields.ts';
import type { BesideFleet } from './fleet.ts';
import type { BesideOpenShiftFleet } from './openshift-fleet.ts';

const services = 'services.serving.knative.dev';

/** The kinds of Knative that an installation here has objects of. */
export const knative: KubeObject[] = [
  customResourceDefinition({
    group: 'serving.knative.dev',
    kind: 'Service',
    plural: 'services',
    versions: [{ name: 'v1', subresources: { status: {} } }],
  }),
];

const metadata = {
  name: 'phaseout',
  namespace: 'phaseout',
  labels: { 'app.kubernetes.io/managed-by': 'phaseout' },
};

/** The objects of an installation beside Cluster API's own controller that has these variables. */
export const besideObjects = (variables: Record<string, string>): KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { AWS_REGION: 'eu-central-1', PHASEOUT_MODE: 'capi:beside', ...variables },
  },
  { apiVersion: 'serving.knative.dev/v1', kind: 'Service', metadata, spec: { template: { variables } } },
];

/** The objects of an installation are created. */
export function install(fleet: BesideFleet | BesideOpenShiftFleet, variables: Record<string, string>): void {
  for (const object of besideObjects(variables))
    fleet.create(object.kind === 'Service' ? services : 'configmaps', object);
}

/** An installation as it stands in the cluster: its instances come and go with its Service, and follow its ConfigMap. */
export function installed(
  fleet: BesideFleet | BesideOpenShiftFleet,
  variables: Record<string, string>,
  namespace = 'fleet',
): void {
  const { cluster } = fleet.server;
  const leader = { name: 'controller-leader-election-capi', namespace };
  const spec = { renewTime: '2999-01-01T00:00:00.000000Z' };
  fleet.create('leases.coordination.k8s.io', { metadata: leader, spec });
  install(fleet, variables);
  cluster.watch('configmaps', ({ type, object }) => {
    if (type === 'MODIFIED') fleet.reinstall(variablesIn(object));
  });
  let back: (() => void) | undefined;
  cluster.watch(services, ({ type, object }) => {
    if (type === 'DELETED') back = fleet.away();
    else getsReady(fleet, object);
    if (type === 'ADDED') back?.();
  });
}

function getsReady({ server: { cluster } }: BesideFleet | BesideOpenShiftFleet, service: KubeObject): void {
  const { generation } = service.metadata;
  if (recordAt(service, 'status')['observedGeneration'] === generation) return;
  const status = { observedGeneration: generation, conditions: [{ type: 'Ready', status: 'True' }] };
  cluster.patch(services, service, { status }, 'status');
}

const variablesIn = (configMap: KubeObject): Record<string, string> =>
  z.record(z.string(), z.string()).parse(configMap['data']);
