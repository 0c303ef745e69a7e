import type { ControllerOptions } from '../../../../../infra/local/controllers/index.ts';
import type { Machine } from '../../../../../infra/local/controllers/machines/apis.ts';
import { runningStatus } from '../../../../../infra/local/controllers/machines/cluster-api-machines.ts';
import { providerFinalizer } from '../../../../../infra/local/controllers/machines/infrastructure.ts';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { definitionsOf } from '../../../../stories/stage/definitions.ts';
import { aLoadedNode } from '../machines/fleet.ts';
import { aPlatform, aPod, meta } from '../platform.ts';

export const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
export const machines = 'machines.cluster.x-k8s.io';
export const clusters = 'clusters.cluster.x-k8s.io';
export const infrastructures = 'genericinfrastructuremachines.infrastructure.cluster.x-k8s.io';
export const configs = 'genericbootstrapconfigs.bootstrap.cluster.x-k8s.io';
export const controlPlanes = 'genericcontrolplanes.controlplane.cluster.x-k8s.io';
export const finalizer = 'machine.cluster.x-k8s.io';
const clusterName = 'cluster.x-k8s.io/cluster-name';

export type Version = 'v1beta1' | 'v1beta2';

interface Fields extends ControllerOptions {
  version?: Version;
  annotations?: Record<string, string>;
  /** Names of Pods on the Node, in the namespace `bench`; what they ask for. */
  pods?: Record<string, Parameters<typeof aPod>[1]>;
  deletion?: { nodeDrainTimeoutSeconds?: number; nodeVolumeDetachTimeoutSeconds?: number };
  /** A volume that is attached to the Node, with this claim. */
  claim?: string;
  hasNode?: boolean;
  objects?: KubeObject[];
}

/** A running Machine of that name, with its Node, in a cluster with a control plane; the peer is there. */
export function aPeer(name: string, fields: Fields = {}) {
  const { version = 'v1beta2', annotations = {}, pods = {}, deletion = {}, claim, ...rest } = fields;
  const { hasNode = true, objects = [], ...settings } = rest;
  const reference = (group: string, kind: string, of: string) =>
    version === 'v1beta1'
      ? { apiVersion: `${group}.cluster.x-k8s.io/v1beta1`, kind, name: of, namespace: 'default' }
      : { apiGroup: `${group}.cluster.x-k8s.io`, kind, name: of };
  const aMachine = (of: string, labels: Record<string, string> = {}): Machine => ({
    apiVersion: `cluster.x-k8s.io/${version}`,
    kind: 'Machine',
    metadata: meta(of, {
      uid: `uid-${of}`,
      labels: { [clusterName]: 'peer', ...labels },
      finalizers: [finalizer],
    }),
    spec: {
      clusterName: 'peer',
      bootstrap: { configRef: reference('bootstrap', 'GenericBootstrapConfig', of) },
      infrastructureRef: reference('infrastructure', 'GenericInfrastructureMachine', of),
    },
  });
  const bare = aMachine(name);
  const machine = {
    ...bare,
    metadata: { ...bare.metadata, annotations },
    spec: { ...bare.spec, ...limits(version, deletion) },
  };
  const owned = (group: string, kind: string): KubeObject => ({
    apiVersion: `${group}.cluster.x-k8s.io/v1beta2`,
    kind,
    metadata: meta(name, { finalizers: [providerFinalizer] }),
  });
  const platform = aPlatform({
    definitions: definitionsOf(version),
    loaded: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } },
      {
        apiVersion: `cluster.x-k8s.io/${version}`,
        kind: 'Cluster',
        metadata: meta('peer', { finalizers: ['cluster.cluster.x-k8s.io'] }),
        spec: { controlPlaneRef: reference('controlplane', 'GenericControlPlane', 'peer') },
      },
      {
        apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
        kind: 'GenericControlPlane',
        metadata: meta('peer', { finalizers: ['peer/hold'] }),
      },
      aMachine('master', { 'cluster.x-k8s.io/control-plane': '' }),
      hasNode
        ? { ...machine, status: runningStatus(machine, { metadata: { name, uid: `uid-node-${name}` } }, 0) }
        : machine,
      owned('infrastructure', 'GenericInfrastructureMachine'),
      owned('bootstrap', 'GenericBootstrapConfig'),
      ...(hasNode ? [aLoadedNode(name, { spec: { providerID: `peer://${name}` } })] : []),
      ...(claim === undefined ? [] : aVolume(name, claim)),
      ...Object.entries(pods).map(([pod, asks]) => inBench(aPod(pod, { node: name, ...asks }))),
      ...objects,
    ],
    peer: true,
    ...settings,
  });
  const current = () => platform.get(machines, name);
  return {
    ...platform,
    machine: () => {
      const found = current();
      if (found === undefined) throw new Error(`${name} is gone`);
      return found;
    },
    isGone: () => current() === undefined,
    deletes: () => platform.remove(machines, name),
    annotate: (of: Record<string, string | null>) =>
      platform.patch(machines, name, { metadata: { annotations: of } }),
    deleting: () => conditionOf(current(), 'Deleting'),
    pods: () => platform.list('pods').map(({ metadata }) => metadata.name),
    events: () =>
      platform.list('events').map(({ type, reason, message }) => [type, reason, message].join(' ')),
    /** Seconds until the Machine is gone, in steps of half a second. */
    async secondsUntilGone(most = 120): Promise<number> {
      for (let seconds = 0; seconds <= most; seconds += 0.5) {
        if (current() === undefined) return seconds;
        await platform.seconds(0.5);
      }
      throw new Error(`${name} is there after ${most} s`);
    },
  };
}

export type Peer = ReturnType<typeof aPeer>;

const inBench = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: 'bench' },
});

const limits = (version: Version, deletion: NonNullable<Fields['deletion']>): object => {
  if (version === 'v1beta2') return Object.keys(deletion).length > 0 ? { deletion } : {};
  const { nodeDrainTimeoutSeconds: drain, nodeVolumeDetachTimeoutSeconds: volumes } = deletion;
  return {
    ...(drain !== undefined && { nodeDrainTimeout: `${drain}s` }),
    ...(volumes !== undefined && { nodeVolumeDetachTimeout: `${volumes}s` }),
  };
};

/** The version's own view of a condition: `status reason message`. */
function conditionOf(machine: Machine | undefined, type: string): string {
  const { conditions, v1beta2 } = machine?.status ?? {};
  const found = (v1beta2?.conditions ?? conditions)?.find((condition) => condition.type === type);
  return [found?.reason, found?.message].join(': ');
}

const aVolume = (nodeName: string, claim: string): KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'csi.peer', volumeHandle: 'h' },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'bench', name: claim },
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'a' },
    spec: { attacher: 'csi.peer', nodeName, source: { persistentVolumeName: 'v' } },
    status: { attached: true },
  },
];

/** A budget over Pods with the label `app: web`; it never allows an eviction, unless it says something else. */
export const aBudget = (name: string, spec: object = { maxUnavailable: 0 }): KubeObject =>
  inBench({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta(name),
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  });
