import { budgetNamed, named, type Thing } from './things.ts';

/** A deletion as a role's owner comes upon it: the objects of both clusters, which may be one. */
export interface Scene {
  name: string;
  machine: string;
  management: Thing[];
  /** Absent where the Nodes are in the cluster of the Machines. */
  workload?: Thing[];
}

const deletionTimestamp = '2026-11-27T12:00:00Z';
const clusterLabels = { 'cluster.x-k8s.io/cluster-name': 'blue' };

const checkpointIn = (phase: string, uid: string) => ({
  'phaseout.dev/checkpoint': JSON.stringify({
    v: 1,
    uid,
    seq: 1,
    phase,
    since: deletionTimestamp,
    passed: {},
  }),
});

interface Parts {
  phase?: string;
  status?: object;
  spec?: object;
}

const clusterApiMachine = (
  name: string,
  { phase, status = { nodeRef: { name: 'n1' } }, spec = {} }: Parts = {},
) =>
  named('cluster.x-k8s.io/v1beta2', 'Machine', `fleet/${name}`, {
    metadata: {
      labels: clusterLabels,
      finalizers: ['machine.cluster.x-k8s.io'],
      ...(phase !== undefined && { deletionTimestamp, annotations: checkpointIn(phase, `machine-${name}`) }),
    },
    spec: {
      clusterName: 'blue',
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
      ...(name === 'a' && { providerID: 'aws:///n1' }),
      ...spec,
    },
    status,
  });

const controlPlaneMachine = named('cluster.x-k8s.io/v1beta2', 'Machine', 'fleet/cp', {
  metadata: { labels: { ...clusterLabels, 'cluster.x-k8s.io/control-plane': '' } },
  spec: {
    clusterName: 'blue',
    bootstrap: { dataSecretName: 'cp' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'cp' },
  },
});

/** Nothing of it matters but that it is there to be listed. */
const makesMachines = {
  spec: {
    clusterName: 'blue',
    replicas: 0,
    selector: { matchLabels: { pool: 'workers' } },
    template: {
      metadata: { labels: { pool: 'workers' } },
      spec: {
        clusterName: 'blue',
        bootstrap: { dataSecretName: 'workers' },
        infrastructureRef: {
          apiGroup: 'infrastructure.cluster.x-k8s.io',
          kind: 'AWSMachineTemplate',
          name: 'workers',
        },
      },
    },
  },
};

const clusterApiFleet = (machine: Thing): Thing[] => [
  machine,
  controlPlaneMachine,
  named('cluster.x-k8s.io/v1beta2', 'Cluster', 'fleet/blue', {
    spec: {
      controlPlaneRef: {
        apiGroup: 'controlplane.cluster.x-k8s.io',
        kind: 'KubeadmControlPlane',
        name: 'blue',
      },
    },
  }),
  named('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', 'fleet/blue', {}),
  ...['infrastructure/AWSMachine', 'bootstrap/KubeadmConfig'].map((of) => {
    const [group = '', kind = ''] = of.split('/');
    return named(`${group}.cluster.x-k8s.io/v1beta2`, kind, `fleet/${machine.metadata.name}`, {
      metadata: {
        ownerReferences: [
          {
            apiVersion: 'cluster.x-k8s.io/v1beta2',
            kind: 'Machine',
            name: machine.metadata.name,
            uid: `machine-${machine.metadata.name}`,
            controller: true,
          },
        ],
      },
    });
  }),
  ...['MachineDeployment', 'MachineSet'].map((kind) =>
    named('cluster.x-k8s.io/v1beta2', kind, 'fleet/workers', makesMachines),
  ),
  named('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'fleet/shop-first', {
    spec: {
      drain: { behavior: 'Drain', order: -1 },
      pods: [{ namespaceSelector: { matchLabels: { team: 'shop' } } }],
    },
  }),
];

const pod = (name: string, kind: string, owner: string, spec: object = {}) =>
  named('v1', 'Pod', `shop/${name}`, {
    metadata: {
      labels: { app: owner },
      ownerReferences: [
        {
          apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
          kind,
          name: owner,
          uid: `${kind}-${owner}`,
          controller: true,
        },
      ],
    },
    spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'registry.example/main:1' }], ...spec },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });

/** What a Node has that has to be read before it goes. */
const aNodeInUse: Thing[] = [
  named('v1', 'Node', 'n1', {
    spec: { providerID: 'aws:///n1' },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      volumesAttached: [{ name: 'kubernetes.io/csi/ebs^vol-1', devicePath: '' }],
    },
  }),
  named('v1', 'Namespace', 'shop', { metadata: { labels: { team: 'shop' } } }),
  named('apps/v1', 'DaemonSet', 'shop/agent', {
    spec: { selector: { matchLabels: { app: 'agent' } }, template: { spec: { containers: [] } } },
  }),
  named('apps/v1', 'Deployment', 'shop/web', { spec: { replicas: 2 } }),
  named('apps/v1', 'ReplicaSet', 'shop/web', {
    metadata: {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'deployment-web', controller: true },
      ],
    },
    spec: { replicas: 2 },
  }),
  named('apps/v1', 'StatefulSet', 'shop/db', { spec: { replicas: 1 } }),
  named('batch/v1', 'Job', 'shop/sum', { spec: { parallelism: 1 } }),
  pod('agent-1', 'DaemonSet', 'agent'),
  pod('db-0', 'StatefulSet', 'db'),
  pod('sum-1', 'Job', 'sum'),
  pod('web-1', 'ReplicaSet', 'web', {
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
  }),
  budgetNamed('shop/web'),
  named('v1', 'PersistentVolume', 'pv-1', {
    spec: {
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data' },
      csi: { driver: 'ebs', volumeHandle: 'vol-1' },
    },
  }),
  named('storage.k8s.io/v1', 'VolumeAttachment', 'va-1', {
    spec: { attacher: 'ebs', nodeName: 'n1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: true },
  }),
];

const openShiftMachine = named('machine.openshift.io/v1beta1', 'Machine', 'openshift-machine-api/master-1', {
  metadata: {
    labels: {
      'machine.openshift.io/cluster-api-cluster': 'ocp',
      'machine.openshift.io/cluster-api-machine-role': 'master',
    },
    finalizers: ['machine.machine.openshift.io'],
    deletionTimestamp,
  },
  spec: { providerSpec: { value: {} }, providerID: 'aws:///n1' },
  status: { phase: 'Deleting', nodeRef: { kind: 'Node', name: 'n1' } },
});

const controlPlaneNode = (name: string, unschedulable: boolean) =>
  named('v1', 'Node', name, {
    metadata: { labels: { 'node-role.kubernetes.io/master': '' } },
    spec: { providerID: `aws:///${name}`, unschedulable },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });

const originalMachine = named('cluster.k8s.io/v1alpha1', 'Machine', 'machines/w-1', {
  metadata: {
    labels: { 'cluster.k8s.io/cluster-name': 'old' },
    finalizers: ['machine.cluster.k8s.io'],
    deletionTimestamp,
  },
  spec: { providerSpec: {} },
  status: { nodeRef: { kind: 'Node', name: 'n1' } },
});

/** Between them they make the commands read all that they ever read. */
export const scenes: Scene[] = [
  ...['drain', 'infrastructure', 'bootstrap'].map((phase) => ({
    name: `a Machine of Cluster API in ${phase}`,
    machine: 'fleet/a',
    management: clusterApiFleet(clusterApiMachine('a', { phase })),
    workload: aNodeInUse,
  })),
  {
    name: 'a living Machine of Cluster API, whose Node is looked for by providerID',
    machine: 'fleet/a',
    management: clusterApiFleet(
      clusterApiMachine('a', { status: { phase: 'Running' }, spec: { providerID: 'aws:///n1' } }),
    ),
    workload: aNodeInUse,
  },
  {
    name: 'a control plane Machine of OpenShift',
    machine: 'openshift-machine-api/master-1',
    management: [
      openShiftMachine,
      named('machine.openshift.io/v1beta1', 'MachineSet', 'openshift-machine-api/workers', {
        spec: {
          replicas: 0,
          selector: { matchLabels: { pool: 'workers' } },
          template: { metadata: { labels: { pool: 'workers' } }, spec: { providerSpec: {} } },
        },
      }),
      named('machine.openshift.io/v1', 'ControlPlaneMachineSet', 'openshift-machine-api/cluster', {}),
      ...aNodeInUse.filter(({ kind }) => kind !== 'Node'),
      controlPlaneNode('n1', false),
      controlPlaneNode('n2', true),
    ],
  },
  {
    name: 'a Machine of v1alpha1',
    machine: 'machines/w-1',
    management: [originalMachine, named('cluster.k8s.io/v1alpha1', 'Cluster', 'machines/old', {})],
    workload: aNodeInUse,
  },
];
