import { expect, test } from 'vitest';
import { cordonToleration } from '../../../shared/drain/recreated-pods.ts';
import type { Taint, Toleration } from '../../../shared/kubernetes/objects.ts';
import { pod } from '../../builders/pods.ts';
import { aNode } from '../../builders/subject.ts';

const key = 'node.kubernetes.io/unschedulable';

function found(tolerations: Toleration[], taints: Taint[] = []): Toleration | undefined {
  const node = aNode();
  const spec = { ...node.spec, taints: [{ key, effect: 'NoSchedule' }, ...taints] };
  return cordonToleration({ ...pod('ns/a'), spec: { tolerations } }, { ...node, spec });
}

test.each<[what: string, toleration: Toleration]>([
  ['all taints', { operator: 'Exists' }],
  ['all taints of the effect', { operator: 'Exists', effect: 'NoSchedule' }],
  ['the key', { key, operator: 'Exists' }],
  ['the key and the effect', { key, operator: 'Exists', effect: 'NoSchedule' }],
  ['the key with no value', { key }],
  ['the key with an empty value', { key, operator: 'Equal', value: '' }],
])('a toleration of %s lets a Pod onto a cordoned Node', (_what, toleration) => {
  expect(found([{ key: 'other', operator: 'Exists' }, toleration])).toEqual(toleration);
});

test.each<[what: string, toleration: Toleration]>([
  ['another key', { key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
  ['another effect', { operator: 'Exists', effect: 'NoExecute' }],
  ['another value', { key, operator: 'Equal', value: 'x' }],
  ['no key, without Exists', { operator: 'Equal' }],
  ['an operator that compares', { key, operator: 'Gt', value: '1' }],
])('a toleration of %s does not', (_what, toleration) => {
  expect(found([toleration])).toBeUndefined();
});

const gpu = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

test('a taint that a Pod does not tolerate keeps it from the Node all the same', () => {
  const toleration = { key, operator: 'Exists' };
  expect(found([toleration], [gpu])).toBeUndefined();
  expect(found([toleration, { key: 'gpu', value: 'yes' }], [gpu])).toEqual(toleration);
  expect(found([toleration], [{ ...gpu, effect: 'PreferNoSchedule' }])).toEqual(toleration);
});

test('without tolerations no Pod comes back', () => {
  expect(cordonToleration(pod('ns/a'), aNode())).toBeUndefined();
});
