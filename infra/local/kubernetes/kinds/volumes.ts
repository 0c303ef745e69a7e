import type { KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { withMetadata } from '../objects/kube-object.ts';
import { invalidValue, required, unsupported } from '../objects/status.ts';
import { areEqual, at, objectOf } from '../server/json.ts';

function held(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(finalizer)) return object;
  return withMetadata(object, { finalizers: [...finalizers, finalizer] });
}

const unsaid = { volumeMode: 'Filesystem' };

/** PersistentVolumes: protected while a claim uses them. */
export const volumeRules: KindRules = {
  answersObject: true,
  zero: { spec: {}, status: {} },
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
      ...(capacity === undefined
        ? [required('spec.capacity'), unsupported('spec.capacity', null, ['storage'])]
        : []),
      ...(sources.some((source) => source in spec) ? [] : [required('spec', 'must specify a volume type')]),
    ];
  },
};

/** PersistentVolumeClaims: protected while a Pod uses them. */
export const claimRules: KindRules = {
  answersObject: true,
  zero: { spec: { resources: {} }, status: {} },
  defaults: (claim) => ({ ...claim, spec: { ...unsaid, ...objectOf(claim.spec) } }),
  onCreate: (claim) => ({ ...held(claim, 'kubernetes.io/pvc-protection'), status: { phase: 'Pending' } }),
};

/** The spec with the names that the API server's own code gives the fields, which is how it quotes it. */
function quoted(spec: unknown) {
  const source = at(spec, 'source');
  return {
    Attacher: at(spec, 'attacher'),
    Source: {
      PersistentVolumeName: at(source, 'persistentVolumeName') ?? null,
      InlineVolumeSpec: at(source, 'inlineVolumeSpec') ?? null,
    },
    NodeName: at(spec, 'nodeName'),
  };
}

/** VolumeAttachments: not attached at first. Their volume and Node never change. */
export const attachmentRules: KindRules = {
  answersObject: true,
  needsVersion: true,
  keptByStatus: ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'],
  zero: { spec: { attacher: '', source: {}, nodeName: '' }, status: { attached: false } },
  onCreate: (attachment) => ({ ...attachment, status: { attached: false } }),
  refusals: (attachment, previous) =>
    previous === undefined || areEqual(attachment.spec, previous.spec)
      ? []
      : [invalidValue('spec', quoted(attachment.spec), 'field is immutable')],
};
