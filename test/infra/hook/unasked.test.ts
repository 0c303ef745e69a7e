import { expect, it } from 'vitest';
import { unaskedOn } from '../../../infra/hook/unasked.ts';
import { annotatedHooks, hookOf, hookOwner } from '../../../shared/dialects/beside/hook.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import { askedOf, hooksAnnotation, serializeAsked } from '../../../shared/hooks/asked.ts';
import { readDeletionHook } from '../../../shared/hooks/deletion-hook.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

const api = { hooks: annotatedHooks(''), dialect: clusterApi };
const ours = { [hookOf('', 'PreTerminate')]: hookOwner };

const aHook = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: 'phaseout.dev/v1alpha1',
  kind: 'DeletionHook',
  metadata: { name, namespace: 'fleet', uid: `uid-${name}` },
  spec: { at: 'PreTerminate', ...spec },
});

const aMachine = (annotations: Record<string, string>, metadata: object = {}): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: {
    name: 'm',
    namespace: 'fleet',
    uid: 'u-1',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    annotations,
    ...metadata,
  },
});

const asked = (name: string, whenGone: string, end?: object) => ({
  ...askedOf(readDeletionHook(aHook(name, { whenGone })) ?? never()),
  ...end,
});
function never(): never {
  throw new Error('no DeletionHook');
}
const written = (...hooks: ReturnType<typeof asked>[]) => ({
  ...ours,
  [hooksAnnotation]: serializeAsked('u-1', hooks),
});
const ended = { end: { as: 'Done', at: '2026-01-01T00:01:00Z', why: 'done' } } as const;

it.each<[string, KubeObject, KubeObject[], string[]]>([
  ['lives', aMachine(ours, { deletionTimestamp: undefined }), [aHook('wipe')], []],
  ['has no hook of ours', aMachine({}), [aHook('wipe')], []],
  ['is to be asked for', aMachine(ours), [aHook('wipe')], ['wipe Hold']],
  ['is to be asked for at another place', aMachine(ours), [aHook('wipe', { at: 'PreDrain' })], []],
  [
    'may be selected by its Cluster, which is not read',
    aMachine(ours),
    [aHook('wipe', { whenGone: 'Proceed', machines: [{ clusterSelector: { matchLabels: { a: 'b' } } }] })],
    ['wipe Proceed'],
  ],
  [
    'is not selected, whatever its Cluster',
    aMachine(ours),
    [aHook('wipe', { machines: [{ selector: { matchLabels: { a: 'b' } }, clusterSelector: {} }] })],
    [],
  ],
  [
    'was asked for, by what is written on it',
    aMachine(written(asked('old', 'Hold'), asked('over', 'Hold', ended))),
    [aHook('wipe')],
    ['old Hold'],
  ],
  ['has all its answers', aMachine(written(asked('over', 'Hold', ended))), [aHook('wipe')], []],
])('a Machine that %s', (_what, machine, deletionHooks, expected) => {
  const unasked = unaskedOn(machine, api, deletionHooks);
  expect(unasked.map(({ name, whenGone }) => `${name} ${whenGone}`)).toEqual(expected);
});
