import { expect, test } from 'vitest';
import type { Node, PersistentVolume, VolumeAttachment } from '../../../shared/kubernetes/objects.ts';
import {
  cannotIgnoreClaims,
  claimsToIgnore,
  findAttachedVolumes,
  isDetached,
  readAttachments,
  volumesToIgnoreMatter,
} from '../../../shared/volumes/attached.ts';
import { volumeMessage } from '../../../shared/volumes/message.ts';
import { verdict } from '../../builders/pods.ts';
import { goldenKind, goldenMessage } from '../drain/golden.ts';

const node = (...names: string[]): Node => ({
  metadata: { name: 'n1' },
  status: { volumesAttached: names.map((name) => ({ name })) },
});

interface AttachmentParts {
  nodeName?: string;
  attached?: boolean;
  volume?: string;
}

const attachment = ({ nodeName = 'n1', attached = true, volume }: AttachmentParts): VolumeAttachment => ({
  metadata: { name: 'va' },
  spec: { nodeName, source: volume === undefined ? {} : { persistentVolumeName: volume } },
  status: { attached },
});

const csi = (handle: string) => `kubernetes.io/csi/driver^${handle}`;

/** A CSI volume whose handle is its name, bound to claim `ns/<name>` unless said otherwise. */
const volume = (
  name: string,
  claimRef: object | undefined = { kind: 'PersistentVolumeClaim', namespace: 'ns', name },
): PersistentVolume => ({
  metadata: { name },
  spec: { csi: { driver: 'driver', volumeHandle: name }, claimRef },
});
const unbound = (name: string): PersistentVolume => ({
  metadata: { name },
  spec: { csi: { driver: 'driver', volumeHandle: name } },
});

function attachedNames(given: Node, attachments: VolumeAttachment[] = []) {
  const reading = readAttachments(given, attachments);
  if (reading.kind === 'failed') throw new Error(reading.failure.message);
  return reading.attached;
}

test('attachments of other Nodes, and those not attached, do not count', () => {
  const attachments = [
    attachment({ volume: 'a' }),
    attachment({ volume: 'b', nodeName: 'n2' }),
    attachment({ volume: 'd', nodeName: 'n10' }),
    attachment({ volume: 'e', nodeName: 'n' }),
    attachment({ volume: 'c', attached: false }),
    attachment({ nodeName: 'n2' }),
    attachment({ attached: false }),
  ];
  expect(attachedNames(node('x'), attachments)).toEqual({
    nodeVolumes: new Set(['x']),
    persistentVolumes: new Set(['a']),
  });
});

test('an attachment that is being deleted counts until it says that it is off', () => {
  const going = { name: 'va', deletionTimestamp: '2026-01-01T12:00:00Z' };
  const attachments = [
    { ...attachment({ volume: 'a' }), metadata: going },
    { ...attachment({ volume: 'b', attached: false }), metadata: going },
  ];
  expect(attachedNames(node(), attachments).persistentVolumes).toEqual(new Set(['a']));
});

test('an attachment of this Node without a PersistentVolume is a failure', () => {
  expect(readAttachments(node(), [attachment({})])).toEqual({
    kind: 'failed',
    failure: { message: 'spec.source.persistentVolumeName for VolumeAttachment va is not set' },
  });
});

test('volumes in use are not attached volumes', () => {
  const status = { conditions: [], volumesInUse: [csi('a')] };
  const inUse: Node = { metadata: { name: 'n1' }, status };
  expect(volumesToIgnoreMatter(attachedNames(inUse))).toBe(false);
});

test('nothing more need be read when nothing is attached', () => {
  expect(volumesToIgnoreMatter(attachedNames({ metadata: { name: 'n1' } }))).toBe(false);
  expect(volumesToIgnoreMatter(attachedNames(node('x')))).toBe(true);
  expect(volumesToIgnoreMatter(attachedNames(node(), [attachment({ volume: 'a' })]))).toBe(true);
});

const none = { claims: [], volumesWithoutClaim: [], unmatchedNodeVolumes: [], unmatchedAttachments: [] };

test.each<[string, Node, VolumeAttachment[], PersistentVolume[], string[], object]>([
  [
    'a volume the Node reports is named by its claim',
    node(csi('a')),
    [],
    [volume('a')],
    [],
    { claims: ['ns/a'] },
  ],
  [
    'so is one of an attachment',
    node(),
    [attachment({ volume: 'a' })],
    [volume('a')],
    [],
    { claims: ['ns/a'] },
  ],
  [
    'both together are one',
    node(csi('a')),
    [attachment({ volume: 'a' })],
    [volume('a')],
    [],
    { claims: ['ns/a'] },
  ],
  [
    'volumes that are not attached do not count',
    node(csi('a')),
    [],
    [volume('a'), volume('b')],
    [],
    { claims: ['ns/a'] },
  ],
  [
    'ignored claims do not count, their volumes are known',
    node(csi('a')),
    [attachment({ volume: 'a' })],
    [volume('a')],
    ['ns/a'],
    {},
  ],
  [
    'a volume without a claim counts by its own name',
    node(csi('a')),
    [],
    [unbound('a')],
    [],
    { volumesWithoutClaim: ['a'] },
  ],
  [
    'a claimRef of another kind is no claim, and cannot be ignored',
    node(csi('a')),
    [],
    [volume('a', { kind: 'Other', namespace: 'ns', name: 'a' })],
    ['ns/a'],
    { volumesWithoutClaim: ['a'] },
  ],
  [
    'an in-tree volume of the Node matches nothing until it is gone',
    node('kubernetes.io/aws-ebs/aws://z/vol-1'),
    [],
    [volume('a')],
    ['ns/a'],
    { unmatchedNodeVolumes: ['kubernetes.io/aws-ebs/aws://z/vol-1'] },
  ],
  [
    'a volume that is not CSI matches by its attachment alone',
    node(),
    [attachment({ volume: 'a' })],
    [{ metadata: { name: 'a' }, spec: {} }],
    [],
    { volumesWithoutClaim: ['a'] },
  ],
  [
    'an attachment of a volume that does not exist',
    node(),
    [attachment({ volume: 'lost' })],
    [],
    [],
    { unmatchedAttachments: ['lost'] },
  ],
  [
    'all lists are sorted',
    node(csi('b'), csi('a'), 'z', 'y'),
    [attachment({ volume: 'm' }), attachment({ volume: 'l' })],
    [volume('b'), volume('a')],
    [],
    { claims: ['ns/a', 'ns/b'], unmatchedNodeVolumes: ['y', 'z'], unmatchedAttachments: ['l', 'm'] },
  ],
])('%s', (_, given, attachments, volumes, ignored, expected) => {
  const found = findAttachedVolumes(attachedNames(given, attachments), volumes, new Set(ignored));
  expect(found).toEqual({ ...none, ...expected });
  expect(isDetached(found)).toBe(Object.keys(expected).length === 0);
});

const claiming = (claimName: string) => ({
  volumes: [{ persistentVolumeClaim: { claimName } }, { emptyDir: {} }],
});

test('only the claims of skipped Pods are ignored', () => {
  const verdicts = [
    verdict('ns/a', 'Skip', 0, claiming('data')),
    verdict('other/b', 'Skip', 0, claiming('data')),
    verdict('ns/c', 'WaitCompleted', 0, { ...claiming('job'), phase: 'Succeeded' }),
    verdict('ns/d', 'Drain', 0, claiming('web')),
    verdict('ns/e', 'Skip'),
  ];
  expect([...claimsToIgnore(verdicts)]).toEqual(['ns/data', 'other/data']);
});

const dataOf = (namespace: string) => ({ kind: 'PersistentVolumeClaim', namespace, name: 'data' });

test('a claim is ignored in its own namespace, and not one of that name in another', () => {
  const volumes = [volume('a', dataOf('bank')), volume('b', dataOf('shop'))];
  const found = findAttachedVolumes(attachedNames(node(csi('a'), csi('b'))), volumes, new Set(['bank/data']));
  expect(found.claims).toEqual(['shop/data']);
});

test('says whose fault it is when Pods cannot be judged', () => {
  expect(cannotIgnoreClaims({ message: 'failed to get Pods for eviction: no' })).toEqual({
    message:
      'failed to find PersistentVolumeClaims from Pods ignored during drain: failed to get Pods for eviction: no',
  });
});

const startedAt = Date.parse('2026-11-20T12:19:30.5Z');

test('recorded: one claim is waited for', () => {
  const file = '30-waiting-for-volume-detach.yaml';
  const [recorded] = goldenKind<Node>(file, 'Node');
  const found = findAttachedVolumes(
    attachedNames(recorded!, goldenKind<VolumeAttachment>(file, 'VolumeAttachment')),
    goldenKind<PersistentVolume>(file, 'PersistentVolume'),
    new Set(),
  );
  expect(volumeMessage(found, startedAt)).toBe(goldenMessage(file));
});

test('recorded: all four kinds of volumes at once', () => {
  const [recorded] = goldenKind<Node>('31-waiting-for-volume-detach-all.yaml', 'Node');
  const [first] = goldenKind<PersistentVolume>('30-waiting-for-volume-detach.yaml', 'PersistentVolume');
  const second = { ...unbound('g-vol-yam8-2') };
  const attachments = ['g-vol-yam8-1', 'g-vol-yam8-2', 'g-vol-yam8-missing'].map((name) =>
    attachment({ nodeName: 'g-vol-yam8', volume: name }),
  );
  const found = findAttachedVolumes(attachedNames(recorded!, attachments), [first!, second], new Set());
  expect(volumeMessage(found, startedAt)).toBe(goldenMessage('31-waiting-for-volume-detach-all.yaml'));
});

test('a list shows five and counts the others', () => {
  const claims = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `ns/${name}`);
  expect(volumeMessage({ ...none, claims }, startedAt)).toBe(
    [
      'Waiting for Node volumes to be detached (started at 2026-11-20T12:19:30Z)',
      '* PersistentVolumeClaims: ns/a, ns/b, ns/c, ns/d, ns/e, ... (2 more)',
    ].join('\n'),
  );
});

test('an attachment or a volume of which nothing is said attaches nothing and has no claim', () => {
  const silent: VolumeAttachment = { metadata: { name: 'va' } };
  const wanted: VolumeAttachment = { metadata: { name: 'va' }, spec: { nodeName: 'n1', source: {} } };
  const attached = attachedNames(node(csi('a')), [silent, wanted]);
  expect([...attached.persistentVolumes]).toEqual([]);
  expect(findAttachedVolumes(attached, [{ metadata: { name: 'pv' } }], new Set())).toEqual({
    claims: [],
    volumesWithoutClaim: [],
    unmatchedNodeVolumes: [csi('a')],
    unmatchedAttachments: [],
  });
});

test('an attachment that says nothing of what it attaches fails the reading', () => {
  const silent = { metadata: { name: 'va' }, spec: { nodeName: 'n1' }, status: { attached: true } };
  expect(readAttachments(node(), [silent])).toEqual({
    kind: 'failed',
    failure: { message: 'spec.source.persistentVolumeName for VolumeAttachment va is not set' },
  });
});

test('a PersistentVolume that says nothing of itself is bound to no claim', () => {
  const attached = attachedNames(node(), [attachment({ volume: 'a' })]);
  expect(findAttachedVolumes(attached, [{ metadata: { name: 'a' } }], new Set())).toEqual({
    claims: [],
    volumesWithoutClaim: ['a'],
    unmatchedNodeVolumes: [],
    unmatchedAttachments: [],
  });
});
