import { describe, expect, test } from 'vitest';
import type { Whose } from '../../../shared/dialects/status-input.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import type { Machine } from '../../../shared/machine/machine.ts';
import { judgeNode, nodeToRemember, severalNodes } from '../../../shared/phase/own-node.ts';
import { aNode, aSubject } from '../../builders/subject.ts';

const own = { kind: 'own' } as const;

describe('whose a Node is', () => {
  test.each<[string, Partial<Machine>, machineId: string | undefined, nodeId: string, object]>([
    ['both provider IDs are the same', {}, 'x://m-1', 'x://m-1', own],
    ['they differ only in their form', {}, 'aws:////i-1', 'aws:///eu-1a/i-1', own],
    ['they agree, whatever UID the nodeRef has', { nodeUid: 'node-uid-0' }, 'x://m-1', 'x://m-1', own],
    [
      'they are of two servers',
      {},
      'x://m-1',
      'x://m-2',
      {
        kind: 'another',
        uid: 'node-uid-1',
        why: "Node node-1 is another server's and is left alone: it has providerID x://m-2, the Machine x://m-1",
      },
    ],
    [
      'they are of two servers, whatever UID the nodeRef has',
      { nodeUid: 'node-uid-1' },
      'x://m-1',
      'x://m-2',
      { kind: 'another' },
    ],
    ['there is nothing to compare', {}, undefined, 'x://m-2', own],
    ['the Node has no providerID', {}, 'x://m-1', '', own],
    ['the nodeRef has its UID', { nodeUid: 'node-uid-1' }, undefined, 'x://m-2', own],
    [
      'the nodeRef has another UID, and one provider ID is unknown',
      { nodeUid: 'node-uid-0' },
      undefined,
      'x://m-2',
      {
        kind: 'unknown',
        why: "Node node-1 has UID node-uid-1, the Machine's nodeRef node-uid-0, and no provider IDs tell whether it is the Machine's own",
      },
    ],
    ['the same, with the other one', { nodeUid: 'node-uid-0' }, 'x://m-1', '', { kind: 'unknown' }],
  ])('where %s', (_where, machine, machineId, providerID, expected) => {
    const { machine: known } = aSubject({ machine });
    expect(judgeNode(known, machineId, aNode({ providerID }))).toMatchObject(expected);
  });
});

test('of several Nodes all are named, and what ends it is said', () => {
  expect(severalNodes(['n1-old', 'n1'], 'metal3://uuid-1')).toBe(
    "several Nodes have providerID metal3://uuid-1: n1, n1-old; which one is the Machine's own is unknown. " +
      'This ends when one Node is left, the Machine is excluded from the drain, or its Cluster or control plane is deleted',
  );
});

const ownNode = (uid: string, name = 'node-1'): Whose => ({ kind: 'own', name, uid });
const another: Whose = { kind: 'another', why: 'why', uid: 'uid-9' };
const unknown: Whose = { kind: 'unknown', why: 'why' };

test.each<[string, Partial<Checkpoint>, Whose | undefined, string | undefined]>([
  ['the first that was seen', { phase: 'volume-detach' }, ownNode('uid-1'), 'uid-1'],
  ['still the first', { phase: 'volume-detach', node: 'uid-1' }, ownNode('uid-2'), 'uid-1'],
  ['the one that has come where there was none', { node: 'none' }, ownNode('uid-2'), 'uid-2'],
  [
    "the one that was found in the place of another server's",
    { phase: 'volume-detach', node: 'uid-1' },
    ownNode('uid-2', 'node-2'),
    'uid-2',
  ],
  ['what was known, where nothing was judged', { node: 'uid-1' }, undefined, 'uid-1'],
  ['what was known, where it is unknown whose it is', { node: 'uid-1' }, unknown, 'uid-1'],
  ["that there is none, where it is another server's", { node: 'uid-9' }, another, 'none'],
  ["the first, where another server's has taken its name", { node: 'uid-1' }, another, 'uid-1'],
  ['the same where none was known', { phase: 'drain' }, another, 'none'],
])('a checkpoint remembers %s', (_which, checkpoint, whose, expected) => {
  expect(nodeToRemember(aSubject({ checkpoint }), whose)).toBe(expected);
});

test('a Node that has registered again stays unknown to a Machine that names none', () => {
  const { nodeName: _, ...machine } = aSubject().machine;
  const subject = { ...aSubject({ checkpoint: { node: 'uid-1' } }), machine };
  expect(nodeToRemember(subject, ownNode('uid-2'))).toBe('uid-1');
});
