import { expect, it } from 'vitest';
import { leavePodsToMake } from '../../../../infra/local/load/stand-ins.ts';

const anObject = (kind: string, ownerKind?: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name: 'a',
    ...(ownerKind !== undefined && {
      ownerReferences: [{ apiVersion: 'v1', kind: ownerKind, name: 'owner', uid: 'owner' }],
    }),
  },
});

it.each([
  ['a Deployment has no Pod', [anObject('Deployment')], true],
  ['a StatefulSet has none beside static ones', [anObject('StatefulSet'), anObject('Pod', 'Node')], true],
  ['a Job has a Pod', [anObject('Job'), anObject('Pod', 'Job')], false],
  ['a ReplicaSet has a Pod', [anObject('ReplicaSet'), anObject('Pod', 'ReplicaSet')], false],
  ['only a DaemonSet has none, whose Pods no drain moves', [anObject('DaemonSet')], false],
  ['nothing would make any', [anObject('Node')], false],
])('%s', (_what, objects, expected) => {
  expect(leavePodsToMake(objects)).toBe(expected);
});
