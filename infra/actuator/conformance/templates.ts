import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { readManifests } from '../../terminal/manifests.ts';
import { UsageError } from '../../terminal/usage-error.ts';

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

const exampleCluster: KubeObject = {
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

const examples: Record<Api, Template> = {
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
    cluster: exampleCluster,
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

interface Given extends Record<'machineFile' | 'clusterFile', string | undefined> {
  api: Api | undefined;
}

/** What Machines are made from: the author's own, or our examples. Throws UsageError and ManifestUnreadable. */
export async function readTemplates({
  machineFile,
  clusterFile,
  api,
}: Given): Promise<[Template, ...Template[]]> {
  const cluster = clusterFile === undefined ? undefined : await only(clusterFile, 'Cluster');
  if (machineFile !== undefined) return [await templateIn(machineFile, cluster, api)];
  if (api !== undefined) return [withCluster(examples[api], cluster, false)];
  return [examples.openshift, withCluster(examples.v1alpha1, cluster, true)];
}

async function templateIn(
  file: string,
  cluster: KubeObject | undefined,
  asked: Api | undefined,
): Promise<Template> {
  const machine = await only(file, 'Machine');
  const api = machine.apiVersion === apis.openshift ? 'openshift' : 'v1alpha1';
  if (machine.apiVersion !== apis[api]) {
    throw new UsageError(
      `${file}: a Machine of ${apis.openshift} or ${apis.v1alpha1}, not of ${machine.apiVersion}`,
    );
  }
  if (asked !== undefined && asked !== api) throw new UsageError(`${file}: not a Machine of --api ${asked}`);
  return withCluster({ ...examples[api], machine }, cluster, false);
}

function withCluster(template: Template, cluster: KubeObject | undefined, isExample: boolean): Template {
  const isOwn = cluster !== undefined && template.api === 'v1alpha1';
  return { ...template, isExample, ...(isOwn && { cluster }) };
}

/** The one object of this kind in the file. */
async function only(file: string, kind: string): Promise<KubeObject> {
  const found = (await readManifests([file])).filter(({ object }) => object.kind === kind);
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`${file}: there is no ${kind}`);
  if (second !== undefined) throw new UsageError(`${file}: there is more than one ${kind}`);
  return first.object;
}
