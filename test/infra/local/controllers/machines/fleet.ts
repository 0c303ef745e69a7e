import { clusterApiDefinitions } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../../../../infra/local/kubernetes/crds/definition.ts';
import { machineSets } from '../../../../../infra/local/kubernetes/crds/machine-sets.ts';
import { openShiftDefinitions } from '../../../../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { aPlatform, type Platform, type TestPlatformOptions } from '../platform.ts';

const versions = [{ name: 'v1beta2', subresources: { status: {} } }];
const providerKinds = [
  ['infrastructure', 'LocalMachine'],
  ['infrastructure', 'LocalMachineTemplate'],
  ['bootstrap', 'LocalConfig'],
  ['bootstrap', 'LocalConfigTemplate'],
].map(([group, kind = '']) =>
  customResourceDefinition({
    group: `${group}.cluster.x-k8s.io`,
    kind,
    plural: `${kind.toLowerCase()}s`,
    versions,
  }),
);

const definitions = [
  ...clusterApiDefinitions(),
  machineSets,
  ...openShiftDefinitions,
  ...v1alpha1Definitions,
  ...providerKinds,
];

/** A platform that serves all Machine APIs. */
export const aFleet = (options: TestPlatformOptions = {}): Platform => aPlatform({ definitions, ...options });

interface Fields {
  name?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  owner?: string;
  created?: string;
  deletionTimestamp?: string;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

const object = (apiVersion: string, kind: string, name: string, fields: Fields): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    creationTimestamp: fields.created ?? '2025-12-01T00:00:00Z',
    labels: fields.labels ?? {},
    annotations: fields.annotations ?? {},
    finalizers: fields.finalizers ?? [],
    ...(fields.deletionTimestamp !== undefined && { deletionTimestamp: fields.deletionTimestamp }),
    ...(fields.owner !== undefined && {
      ownerReferences: [
        { apiVersion, kind: 'MachineSet', name: fields.owner, uid: `uid-${fields.owner}`, controller: true },
      ],
    }),
  },
  spec: fields.spec ?? {},
  ...(fields.status && { status: fields.status }),
});

export const openShiftFinalizer = 'machine.machine.openshift.io';

/** A Machine of OpenShift that runs, as the Node of its own name. */
export function anOpenShiftMachine(name: string, fields: Fields = {}): KubeObject {
  return object('machine.openshift.io/v1beta1', 'Machine', name, {
    labels: { 'machine.openshift.io/cluster-api-cluster': 'blue' },
    finalizers: [openShiftFinalizer],
    status: { phase: 'Running', nodeRef: { kind: 'Node', name } },
    ...fields,
    spec: { providerID: `local:///${name}`, providerSpec: { value: {} }, ...fields.spec },
  });
}

export function aV1alpha1Machine(name: string, fields: Fields = {}): KubeObject {
  return object('cluster.k8s.io/v1alpha1', 'Machine', name, {
    finalizers: ['machine.cluster.k8s.io'],
    status: { nodeRef: { kind: 'Node', name } },
    ...fields,
    spec: { providerID: `local:///${name}`, providerSpec: {}, ...fields.spec },
  });
}

export function aClusterApiMachine(name: string, fields: Fields = {}): KubeObject {
  return object('cluster.x-k8s.io/v1beta2', 'Machine', name, {
    finalizers: ['machine.cluster.x-k8s.io'],
    status: { phase: 'Running', nodeRef: { name } },
    ...fields,
    spec: {
      clusterName: 'blue',
      bootstrap: {},
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'LocalMachine', name },
      ...fields.spec,
    },
  });
}

const selector = { matchLabels: { role: 'worker' } };

export function anOpenShiftSet(name: string, fields: Fields = {}): KubeObject {
  return object('machine.openshift.io/v1beta1', 'MachineSet', name, {
    ...fields,
    spec: {
      selector,
      template: {
        metadata: { labels: { role: 'worker' }, annotations: { from: 'template' } },
        spec: {
          lifecycleHooks: { preDrain: [{ name: 'backup', owner: 'somebody' }] },
          providerSpec: { value: { size: 'large' } },
        },
      },
      ...fields.spec,
    },
  });
}

export function aV1alpha1Set(name: string, fields: Fields = {}): KubeObject {
  return object('cluster.k8s.io/v1alpha1', 'MachineSet', name, {
    ...fields,
    spec: {
      selector,
      template: {
        metadata: { labels: { role: 'worker' } },
        spec: { providerSpec: { value: { size: 'large' } }, versions: { kubelet: 'v1.14.1' } },
      },
      ...fields.spec,
    },
  });
}

export function aClusterApiSet(name: string, fields: Fields = {}): KubeObject {
  return object('cluster.x-k8s.io/v1beta2', 'MachineSet', name, {
    ...fields,
    spec: {
      clusterName: 'blue',
      selector,
      template: {
        metadata: { labels: { role: 'worker' } },
        spec: {
          clusterName: 'blue',
          version: 'v1.36.2',
          bootstrap: {
            configRef: {
              apiGroup: 'bootstrap.cluster.x-k8s.io',
              kind: 'LocalConfigTemplate',
              name: 'workers',
            },
          },
          infrastructureRef: {
            apiGroup: 'infrastructure.cluster.x-k8s.io',
            kind: 'LocalMachineTemplate',
            name: 'workers',
          },
        },
      },
      ...fields.spec,
    },
  });
}

/** What Machines of Cluster API's sets are made from. */
export const templates: KubeObject[] = [
  object('infrastructure.cluster.x-k8s.io/v1beta2', 'LocalMachineTemplate', 'workers', {
    spec: { template: { spec: { size: 'large' } } },
  }),
  object('bootstrap.cluster.x-k8s.io/v1beta2', 'LocalConfigTemplate', 'workers', {
    spec: { template: { spec: { files: [] } } },
  }),
];

/** A Node that runs on the server of that name. */
export const aLoadedNode = (
  name: string,
  fields: Fields & { ready?: string; since?: string } = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    uid: `uid-node-${name}`,
    labels: fields.labels ?? {},
    annotations: fields.annotations ?? {},
  },
  spec: { providerID: `local:///${name}`, ...fields.spec },
  status: {
    conditions: [
      {
        type: 'Ready',
        status: fields.ready ?? 'True',
        lastTransitionTime: fields.since ?? '2025-12-01T00:00:00Z',
      },
    ],
  },
});
