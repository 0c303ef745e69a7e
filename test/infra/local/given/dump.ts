import type { Workload } from '../../../../infra/local/given/clusters.ts';
import { givenNotes } from '../../../../infra/local/given/notes.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode, aPod } from '../../../builders/dump.ts';

export function aThing(apiVersion: string, kind: string, namespace?: string, name = 'x'): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** One of each kind that a dump should have. None has to do with the Machine. */
const nothingIsMissing = [
  aThing('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'fleet'),
  aThing('v1', 'Pod', 'elsewhere'),
  aThing('policy/v1', 'PodDisruptionBudget', 'elsewhere'),
  aThing('storage.k8s.io/v1', 'VolumeAttachment'),
  aThing('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
  aThing('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'),
  aThing('v1', 'Namespace', undefined, 'shop'),
];

export const webPod = (name: string, nodeName = 'a') =>
  aPod(name, nodeName, { kind: 'ReplicaSet', name: 'web' });

/** The notes on a dump with these objects and all other kinds. */
export const notesOf = (objects: KubeObject[], workloads: Workload[] = []): string[] =>
  givenNotes({ management: [...objects, ...nothingIsMissing], workloads }, undefined);

/** The notes on Machine fleet/a of a dump that has its Node. */
export const notesOn = (...objects: KubeObject[]): string[] =>
  notesOf([aMachine('a'), aNode('a'), ...objects]);

/** The workload cluster of Cluster fleet/blue, with every kind. */
export const blue = (...objects: KubeObject[]): Workload => ({
  namespace: 'fleet',
  name: 'blue',
  manifests: [...objects, ...nothingIsMissing].map((object) => ({ from: 'blue.yaml', object })),
});
