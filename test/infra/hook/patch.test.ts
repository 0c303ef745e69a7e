import { describe, expect, it } from 'vitest';
import { releasePatch } from '../../../infra/hook/patch.ts';
import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts';

const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout-blue';
const asItWas = [
  { op: 'test', path: '/metadata/uid', value: 'u-1' },
  { op: 'test', path: '/metadata/resourceVersion', value: '7' },
];
const off = [
  {
    op: 'test',
    path: '/metadata/annotations/pre-drain.delete.hook.machine.cluster.x-k8s.io~1phaseout-blue',
    value: 'phaseout.dev',
  },
  {
    op: 'remove',
    path: '/metadata/annotations/pre-drain.delete.hook.machine.cluster.x-k8s.io~1phaseout-blue',
  },
];
const marked = { op: 'add', path: '/metadata/annotations/phaseout.dev~1released', value: 'true' };

describe('the patch that releases', () => {
  it.each<[string, Partial<ObjectMeta>, object[]]>([
    [
      'a Machine that is being deleted takes the hook off, and writes nothing else',
      { deletionTimestamp: '2026-01-01T12:00:00Z', annotations: { [hook]: 'phaseout.dev', a: 'b' } },
      off,
    ],
    [
      'a living one marks it, too, or the hook would be put on again',
      { annotations: { [hook]: 'phaseout.dev' } },
      [...off, marked],
    ],
    ['a living one without the hook only marks it', { annotations: { a: 'b' } }, [marked]],
    [
      'one without annotations makes room for the first',
      {},
      [{ op: 'add', path: '/metadata/annotations', value: {} }, marked],
    ],
    ['one with the hook of somebody else leaves that on', { annotations: { [hook]: 'me' } }, [marked]],
  ])('%s', (_, metadata, operations) => {
    const machine = { metadata: { name: 'm', uid: 'u-1', resourceVersion: '7', ...metadata } };
    expect(releasePatch(machine, hook)).toEqual([...asItWas, ...operations]);
  });
});
