import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode } from '../../../builders/dump.ts';
import { aThing, notesOf } from './dump.ts';

const attachment = (nodeName: string): KubeObject => ({
  ...aThing('storage.k8s.io/v1', 'VolumeAttachment', undefined, 'csi-1'),
  spec: { nodeName, attacher: 'ebs', source: { persistentVolumeName: 'pv-1' } },
});
const reporting = (name: string): KubeObject => ({
  ...aNode('a'),
  status: { volumesAttached: [{ name, devicePath: '' }] },
});

describe('PersistentVolumes that were not given', () => {
  const waited =
    'PersistentVolumes were not given, so on Node a volumes of Pods that stay are waited for, too: ';

  it.each<[string, KubeObject[], string[]]>([
    ['are told of attachments', [aNode('a'), attachment('a')], [`${waited}pv-1`]],
    [
      'are told of what the Node reports',
      [reporting('kubernetes.io/csi/ebs^1')],
      [`${waited}kubernetes.io/csi/ebs^1`],
    ],
    ['are none of volumes that never have one', [reporting('kubernetes.io/aws-ebs/vol-1')], []],
    ['are no matter of other Nodes', [aNode('a'), attachment('b')], []],
    [
      'do not exist where others were given',
      [aNode('a'), attachment('a'), aThing('v1', 'PersistentVolume', undefined, 'pv-2')],
      [],
    ],
  ])('%s', (_, objects, notes) => {
    expect(notesOf([aMachine('a'), ...objects])).toEqual(notes);
  });
});
