import { expect, test } from 'vitest';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { observeAttachments } from '../../../shared/observe/attachments.ts';
import { observeDetach } from '../../../shared/observe/volume-detach.ts';
import { openSnapshot } from '../../../shared/read/open-snapshot.ts';
import { aNode, aSubject } from '../../builders/subject.ts';
import { aWorld, type World } from '../../builders/world.ts';

const node = aNode({ volumesAttached: ['kubernetes.io/csi/d^1'] });

async function observed(considerVolumeAttachments: boolean) {
  const { env, workload } = aWorld(undefined, { considerVolumeAttachments });
  workload.put('volumeattachments', {
    metadata: { name: 'va-1' },
    spec: { nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: true },
  });
  const attachments = await observeAttachments(openSnapshot(env, aSubject()), node);
  return { attachments, reads: workload.reads };
}

test('what is attached is told by the Node and by VolumeAttachments', async () => {
  const { attachments } = await observed(true);
  expect(attachments).toEqual({
    reading: {
      kind: 'read',
      attached: {
        nodeVolumes: new Set(['kubernetes.io/csi/d^1']),
        persistentVolumes: new Set(['pv-1']),
      },
    },
    resourceVersion: expect.stringMatching(/^\d+$/),
  });
});

test('VolumeAttachments are not even listed where they are configured not to count', async () => {
  const { attachments, reads } = await observed(false);
  expect(attachments).toEqual({
    reading: {
      kind: 'read',
      attached: { nodeVolumes: new Set(['kubernetes.io/csi/d^1']), persistentVolumes: new Set() },
    },
    resourceVersion: '',
  });
  expect(reads).toEqual([]);
});

const attached = async ({ env }: World): Promise<string[]> => {
  const { reading } = await observeAttachments(openSnapshot(env, aSubject()), node);
  return reading.kind === 'read' ? [...reading.attached.persistentVolumes] : ['unread'];
};

test('what was attached in this moment is seen by the next look: a server never goes before its disks', async () => {
  const world = aWorld();
  expect(await attached(world)).toEqual([]);
  world.workload.put('volumeattachments', {
    metadata: { name: 'va-1' },
    spec: { nodeName: 'node-1', source: { persistentVolumeName: 'pv-1' } },
    status: { attached: true },
  });
  expect(await attached(world)).toEqual(['pv-1']);
});

test('VolumeAttachments that cannot be listed are not none', async () => {
  const { env, workload } = aWorld();
  const noAnswer = new Unavailable('no answer');
  workload.on('list volumeattachments', () => {
    throw noAnswer;
  });
  await expect(observeAttachments(openSnapshot(env, aSubject()), node)).rejects.toBe(noAnswer);
});

test('all volumes of a cluster are not listed for each of the Machines that wait for theirs at once', async () => {
  const { env, workload } = aWorld();
  workload.put('nodes', node);
  workload.put('persistentvolumes', {
    metadata: { name: 'pv-1' },
    spec: { csi: { driver: 'd', volumeHandle: '1' }, claimRef: { namespace: 'shop', name: 'data' } },
  });
  const subject = aSubject({ phase: 'volume-detach' });
  const looks = Array.from({ length: 20 }, () => observeDetach(openSnapshot(env, subject), subject));
  const kinds = (await Promise.all(looks)).map(({ kind }) => kind);
  expect(kinds).toEqual(Array.from({ length: 20 }, () => 'attached'));
  const lists = workload.reads.filter((read) => read === 'list persistentvolumes');
  // One that is under way when another asks is not for that one.
  expect(lists.length).toBeLessThan(5);
});
