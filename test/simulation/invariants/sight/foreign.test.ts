import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { isForeign } from './machine.ts';

const machine = (providerID: string | undefined, uid?: string): KubeObject => ({
  metadata: { name: 'm1' },
  spec: { providerID },
  status: { nodeRef: { name: 'node-1', uid } },
});
const node = (providerID: string | undefined): KubeObject => ({
  metadata: { name: 'node-1', uid: 'uid-1' },
  spec: { providerID },
});

test.each<[what: string, machine: KubeObject, node: KubeObject, isSo: boolean]>([
  ['of the same server', machine('x://1', 'uid-0'), node('x://1'), false],
  ['of another server', machine('x://1', 'uid-0'), node('x://2'), true],
  ['of another server, by an API without UIDs', machine('x://1'), node('x://2'), true],
  ['that the Machine names, whatever the IDs', machine('x://1', 'uid-1'), node('x://2'), false],
  ['that the Machine names', machine('x://1', 'uid-1'), node(''), false],
  ['that has taken the name of another one', machine('x://1', 'uid-0'), node(''), true],
  ['of a Machine whose server nobody knows', machine(undefined, 'uid-0'), node('x://1'), true],
  ['of which nothing more than the name is known', machine('x://1'), node(undefined), false],
])('a Node %s is another one, or not', (_what, one, other, isSo) => {
  expect(isForeign(one, other)).toBe(isSo);
});
