import { expect, test } from 'vitest';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { heldAttachment, heldVolume } from '../../../shared/volumes/attachments.ts';

const metadata = { name: 'a', uid: 'uid-a', annotations: { a: 'b' }, managedFields: [{ manager: 'x' }] };

test.each<[what: string, object: KubeObject, held: KubeObject]>([
  [
    'that is attached',
    {
      metadata,
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true, attachmentMetadata: { devicePath: '/dev/x' } },
    },
    {
      metadata: { name: 'a' },
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true },
    },
  ],
  [
    'of an inline volume that is not attached',
    { metadata, spec: { nodeName: 'n', source: { inlineVolumeSpec: {} } }, status: { attached: false } },
    { metadata: { name: 'a' }, spec: { nodeName: 'n', source: {} }, status: { attached: false } },
  ],
  [
    'that does not come off',
    {
      metadata,
      spec: { nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true, detachError: { message: 'x'.repeat(400), time: '2026-01-01T00:00:00Z' } },
    },
    {
      metadata: { name: 'a' },
      spec: { nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true, detachError: { message: `${'x'.repeat(297)}...` } },
    },
  ],
  [
    'that nothing is said of but an error without words',
    { metadata, status: { detachError: { time: '2026-01-01T00:00:00Z' } } },
    { metadata: { name: 'a' }, spec: { source: {} } },
  ],
  ['of which nothing is said', { metadata }, { metadata: { name: 'a' }, spec: { source: {} } }],
])('of a VolumeAttachment %s only what decides is held', (_what, object, held) => {
  expect(heldAttachment(object)).toStrictEqual(held);
});

test.each<[what: string, object: KubeObject, held: KubeObject]>([
  [
    'of CSI that is claimed',
    {
      metadata,
      spec: {
        accessModes: ['ReadWriteOnce'],
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'c', uid: 'uid-c' },
        csi: { driver: 'd', volumeHandle: 'h', volumeAttributes: { a: 'b' } },
      },
      status: { phase: 'Bound' },
    },
    {
      metadata: { name: 'a' },
      spec: {
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'ns', name: 'c' },
        csi: { driver: 'd', volumeHandle: 'h' },
      },
    },
  ],
  ['of a former kind', { metadata, spec: { nfs: { path: '/' } } }, { metadata: { name: 'a' }, spec: {} }],
  [
    'whose claim says little',
    { metadata, spec: { claimRef: {} } },
    { metadata: { name: 'a' }, spec: { claimRef: {} } },
  ],
])('of a PersistentVolume %s only what decides is held', (_what, object, held) => {
  expect(heldVolume(object)).toStrictEqual(held);
});
