import type { KubeObject } from '../cluster.ts';
import { areEqual, objectOf } from '../json.ts';
import type { KindRules } from '../resource.ts';
import { invalidValue, required } from '../status.ts';

function held(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

const unsaid = { volumeMode: 'Filesystem' };

/** PersistentVolumes: protected while a claim uses them. */
export const volumeRules: KindRules = {
  defaults: (volume) => ({
    ...volume,
    spec: { persistentVolumeReclaimPolicy: 'Retain', ...unsaid, ...objectOf(volume.spec) },
  }),
  onCreate: (volume) => ({
    ...held(volume, 'kubernetes.io/pv-protection'),
    status: { phase: 'Pending', lastPhaseTransitionTime: volume.metadata.creationTimestamp },
  }),
  refusals(volume) {
    const { capacity, accessModes, ...spec } = objectOf(volume.spec);
    const sources = ['csi', 'hostPath', 'local', 'nfs', 'iscsi', 'fc', 'rbd'];
    return [
      ...(accessModes === undefined ? [required('spec.accessModes')] : []),
      ...(capacity === undefined ? [required('spec.capacity')] : []),
      ...(sources.some((source) => source in spec) ? [] : [required('spec', 'must specify a volume type')]),
    ];
  },
};

/** PersistentVolumeClaims: protected while a Pod uses them. */
export const claimRules: KindRules = {
  defaults: (claim) => ({ ...claim, spec: { ...unsaid, ...objectOf(claim.spec) } }),
  onCreate: (claim) => ({ ...held(claim, 'kubernetes.io/pvc-protection'), status: { phase: 'Pending' } }),
};

/** VolumeAttachments: not attached at first, and what is to be attached where never changes. */
export const attachmentRules: KindRules = {
  answersObject: true,
  onCreate: (attachment) => ({ ...attachment, status: { attached: false } }),
  refusals: (attachment, previous) =>
    previous === undefined || areEqual(attachment.spec, previous.spec)
      ? []
      : [invalidValue('spec', attachment.spec, 'field is immutable')],
};
