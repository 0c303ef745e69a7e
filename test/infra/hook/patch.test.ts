import { describe, expect, it } from 'vitest';
import { releaseHook } from '../../../infra/hook/take-off.ts';
import { annotatedHooks, listedHooks, listOf, type OurHooks } from '../../../shared/dialects/beside/hook.ts';
import type { KubeObject, ObjectMeta } from '../../../shared/kubernetes/objects.ts';
import { machineResource } from './stage.ts';

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

/** The patches that are sent, by an API server that has no such Machine any more. */
async function sent(machine: KubeObject, ours: OurHooks): Promise<object[]> {
  const patches: object[] = [];
  const kubernetes = {
    get: async () => undefined,
    jsonPatch: async (_resource: object, _key: object, operations: object[]) => {
      patches.push(...operations);
      return { kind: 'gone' } as const;
    },
  };
  await releaseHook(
    { kubernetes, resource: machineResource, hooks: listOf(ours), marksUnhooked: true },
    machine,
  );
  return patches;
}

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
  ])('%s', async (_, metadata, operations) => {
    const machine = { metadata: { name: 'm', uid: 'u-1', resourceVersion: '7', ...metadata } };
    expect(await sent(machine, annotatedHooks('blue'))).toEqual([...asItWas, ...operations]);
  });

  it('takes both hooks off at once', async () => {
    const both = { [hook]: 'phaseout.dev', [hook.replace('pre-drain', 'pre-terminate')]: 'phaseout.dev' };
    const deletionTimestamp = '2026-01-01T12:00:00Z';
    const machine = {
      metadata: { name: 'm', uid: 'u-1', resourceVersion: '7', deletionTimestamp, annotations: both },
    };
    expect(await sent(machine, annotatedHooks('blue'))).toEqual([
      ...asItWas,
      ...off,
      ...off.map((each) => ({ ...each, path: each.path.replace('pre-drain', 'pre-terminate') })),
    ]);
  });

  it('one with the hook of somebody else leaves that on: there is none', async () => {
    const metadata = { name: 'm', uid: 'u-1', resourceVersion: '7', annotations: { [hook]: 'me' } };
    expect(await sent({ metadata }, annotatedHooks('blue'))).toEqual([]);
  });
});

describe('the patch that releases a Machine of OpenShift', () => {
  const metadata = { name: 'm', uid: 'u-1', resourceVersion: '7', deletionTimestamp: '2026-01-01T12:00:00Z' };
  const preDrain = [
    { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' },
    { name: 'phaseout', owner: 'phaseout.dev' },
  ];

  it('takes our entry off the list, if it is where it was, and leaves the others', async () => {
    const machine = { metadata, spec: { lifecycleHooks: { preDrain } } };
    expect(await sent(machine, listedHooks(''))).toEqual([
      ...asItWas,
      {
        op: 'test',
        path: '/spec/lifecycleHooks/preDrain/1',
        value: { name: 'phaseout', owner: 'phaseout.dev' },
      },
      { op: 'remove', path: '/spec/lifecycleHooks/preDrain/1' },
    ]);
  });

  it('takes our entry off each list', async () => {
    const ours = { name: 'phaseout', owner: 'phaseout.dev' };
    const machine = { metadata, spec: { lifecycleHooks: { preDrain, preTerminate: [ours] } } };
    expect(await sent(machine, listedHooks(''))).toEqual([
      ...asItWas,
      { op: 'test', path: '/spec/lifecycleHooks/preDrain/1', value: ours },
      { op: 'remove', path: '/spec/lifecycleHooks/preDrain/1' },
      { op: 'test', path: '/spec/lifecycleHooks/preTerminate/0', value: ours },
      { op: 'remove', path: '/spec/lifecycleHooks/preTerminate/0' },
    ]);
  });

  it.each<[string, object[]]>([
    ['is on it under our name, of another owner', [{ name: 'phaseout', owner: 'me' }]],
    ['is that of another installation', [{ name: 'phaseout-blue', owner: 'phaseout.dev' }]],
  ])('takes none off where the hook %s', async (_, hooks) => {
    const machine = { metadata, spec: { lifecycleHooks: { preDrain: hooks } } };
    expect(await sent(machine, listedHooks(''))).toEqual([]);
  });
});
