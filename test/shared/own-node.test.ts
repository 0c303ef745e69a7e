import { expect, test } from 'vitest';
import type { Checkpoint } from '../../shared/machine/checkpoint.ts';
import { ownNodeUid } from '../../shared/own-node.ts';
import type { Sightings } from '../../shared/runtime/look.ts';
import { aNode, aSubject } from '../builders/subject.ts';
import { timeAfter } from './dialects/capi/machines.ts';

const unseen = { kind: 'unseen' } as const;
const looking = (node: Sightings['node'], nodeUid?: string): Sightings => ({
  infrastructure: unseen,
  bootstrap: unseen,
  node,
  ...(nodeUid !== undefined && { nodeUid }),
});
const own = looking({ kind: 'present', object: aNode() });
const another = looking({ kind: 'present', object: aNode({ providerID: 'x://other' }) });
const timedOut = { drain: { as: 'timed-out', since: timeAfter(1) } } as const;

test.each<[string, Partial<Checkpoint>, Sightings, string | undefined]>([
  ["of the Machine's own server is its own", { phase: 'volume-detach' }, own, 'node-uid-1'],
  ['of another server is not', { phase: 'volume-detach' }, another, undefined],
  [
    'of another server is not, where nobody saw one before the time to drain it was over',
    { phase: 'volume-detach', passed: timedOut },
    another,
    undefined,
  ],
  ['of another server that is drained is its own', { phase: 'drain' }, another, 'node-uid-1'],
  [
    'that was not read, and is known all the same, is its own',
    { phase: 'drain' },
    looking(unseen, 'uid-0'),
    'uid-0',
  ],
  ['that is gone is nobody', { phase: 'drain' }, looking({ kind: 'absent' }), undefined],
])('a Node %s', (_which, checkpoint, seen, expected) => {
  expect(ownNodeUid(aSubject({ checkpoint }), seen)).toBe(expected);
});
