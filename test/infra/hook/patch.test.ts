import { describe, expect, it } from 'vitest';
import { releasePatch } from '../../../infra/hook/take-off.ts';
import { annotatedHook, listedHook } from '../../../shared/dialects/beside/hook.ts';
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
    expect(releasePatch(machine, annotatedHook('blue'))).toEqual([...asItWas, ...operations]);
  });
});

describe('the patch that releases a Machine of OpenShift', () => {
  const metadata = { name: 'm', uid: 'u-1', resourceVersion: '7', deletionTimestamp: '2026-01-01T12:00:00Z' };
  const preDrain = [
    { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' },
    { name: 'phaseout', owner: 'phaseout.dev' },
  ];

  it('takes our entry off the list, if it is where it was, and leaves the others', () => {
    const machine = { metadata, spec: { lifecycleHooks: { preDrain } } };
    expect(releasePatch(machine, listedHook(''))).toEqual([
      ...asItWas,
      {
        op: 'test',
        path: '/spec/lifecycleHooks/preDrain/1',
        value: { name: 'phaseout', owner: 'phaseout.dev' },
      },
      { op: 'remove', path: '/spec/lifecycleHooks/preDrain/1' },
    ]);
  });

  it.each<[string, object[]]>([
    ['is on it under our name, of another owner', [{ name: 'phaseout', owner: 'me' }]],
    ['is that of another installation', [{ name: 'phaseout-blue', owner: 'phaseout.dev' }]],
  ])('takes none off where the hook %s', (_, hooks) => {
    const machine = { metadata, spec: { lifecycleHooks: { preDrain: hooks } } };
    expect(releasePatch(machine, listedHook(''))).toEqual(asItWas);
  });
});
