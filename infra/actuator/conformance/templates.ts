import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

export const apis = {
  openshift: 'machine.openshift.io/v1beta1',
  v1alpha1: 'cluster.k8s.io/v1alpha1',
} as const;

export type Api = keyof typeof apis;

/** What Machines of one API are made from. */
export interface Template {
  api: Api;
  machine: KubeObject;
  cluster: KubeObject | undefined;
  /** A provider may find nothing to do with our example; with the author's own it has no such excuse. */
  isExample: boolean;
}

const cluster: KubeObject = {
  apiVersion: apis.v1alpha1,
  kind: 'Cluster',
  metadata: { name: 'conformance', namespace: 'conformance', uid: '6f0b7a34-55b6-4a3c-9d1b-0b6a4b7f3c11' },
  spec: {
    clusterNetwork: {
      services: { cidrBlocks: ['10.96.0.0/12'] },
      pods: { cidrBlocks: ['192.168.0.0/16'] },
      serviceDomain: 'cluster.local',
    },
    providerSpec: {},
  },
};

export const examples: Record<Api, Template> = {
  openshift: {
    api: 'openshift',
    cluster: undefined,
    isExample: true,
    machine: {
      apiVersion: apis.openshift,
      kind: 'Machine',
      metadata: {
        name: 'conformance-worker',
        namespace: 'openshift-machine-api',
        labels: {
          'machine.openshift.io/cluster-api-cluster': 'conformance',
          'machine.openshift.io/cluster-api-machine-role': 'worker',
          'machine.openshift.io/cluster-api-machine-type': 'worker',
        },
      },
      spec: { providerSpec: { value: { kind: 'ConformanceProviderSpec', size: 'small' } } },
    },
  },
  v1alpha1: {
    api: 'v1alpha1',
    cluster,
    isExample: true,
    machine: {
      apiVersion: apis.v1alpha1,
      kind: 'Machine',
      metadata: {
        name: 'conformance-worker',
        namespace: 'conformance',
        labels: { 'cluster.k8s.io/cluster-name': 'conformance' },
      },
      spec: {
        versions: { kubelet: '1.14.1' },
        providerSpec: { value: { kind: 'ConformanceProviderSpec', size: 'small' } },
      },
    },
  },
};
