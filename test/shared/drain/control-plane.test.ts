import { expect, test } from 'vitest';
import { cordonedOther } from '../../../shared/drain/node.ts';
import type { Node } from '../../../shared/kubernetes/objects.ts';

const aMember = (name: string, unschedulable?: boolean): Node => ({
  metadata: { name, uid: `uid of ${name}` },
  ...(unschedulable !== undefined && { spec: { unschedulable } }),
});

test.each<[string, Node[], string | undefined]>([
  ['the Node itself is no other', [aMember('a', true), aMember('b')], undefined],
  ['one that takes Pods is not cordoned', [aMember('a', true), aMember('b', false)], undefined],
  ['another that is cordoned', [aMember('a'), aMember('b', true)], 'b'],
  ['of several the first by name', [aMember('c', true), aMember('b', true), aMember('a', true)], 'b'],
  ['nobody', [], undefined],
])('whom a control plane Node waits for: %s', (_, members, expected) => {
  expect(cordonedOther(members, 'uid of a')?.metadata.name).toBe(expected);
});
