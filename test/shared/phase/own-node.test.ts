import { expect, test } from 'vitest';
import type { Ownership } from '../../../shared/dialects/status-input.ts';
import type { Checkpoint } from '../../../shared/machine/checkpoint.ts';
import { nodeToRemember } from '../../../shared/phase/own-node.ts';
import { aSubject } from '../../builders/subject.ts';

const ownNode = (uid: string, name = 'node-1'): Ownership => ({ kind: 'own', name, uid });
const another: Ownership = { kind: 'another', why: 'why', uid: 'uid-9' };
const unknown: Ownership = { kind: 'unknown', why: 'why' };

test.each<[string, Partial<Checkpoint>, Ownership | undefined, string | undefined]>([
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
