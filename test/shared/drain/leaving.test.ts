import { describe, expect, it } from 'vitest';
import { holderOf, holderText, isTerminatingForLong } from '../../../shared/drain/leaving.ts';
import type { Pod } from '../../../shared/kubernetes/objects.ts';
import { pod } from '../../builders/pods.ts';

const now = Date.parse('2026-01-01T10:00:00Z');
const dataVolume = [{ persistentVolumeClaim: { claimName: 'data' } }];

interface Parts {
  grace?: number;
  finalizers?: string[];
  /** `running` or `terminated`, of the containers a, b, and so on. */
  containers?: ('running' | 'terminated')[];
  volumes?: NonNullable<Pod['spec']>['volumes'];
}

function leaving({ grace = 30, finalizers = [], containers = [], volumes = [] }: Parts): Pod {
  const built = pod('ns/a', { finalizers, volumes });
  const containerStatuses = containers.map((state, index) => ({
    name: String.fromCodePoint(97 + index),
    state: { [state]: {} },
  }));
  return {
    ...built,
    metadata: { ...built.metadata, deletionGracePeriodSeconds: grace },
    status: { ...built.status, containerStatuses },
  };
}

describe('a Pod that terminates is held', () => {
  it.each<[string, Parts, string]>([
    ['by its kubelet where it shows nothing else', {}, 'its kubelet'],
    [
      'by its finalizer once its containers have stopped',
      { finalizers: ['x/y'], containers: ['terminated'] },
      'finalizer x/y',
    ],
    [
      'by its finalizers once its kubelet is done',
      { grace: 0, finalizers: ['x/y', 'z'], containers: ['running'] },
      'finalizers x/y, z',
    ],
    [
      'by containers that run, before its finalizers',
      { finalizers: ['x/y'], containers: ['running', 'running'] },
      'containers a, b',
    ],
    ['by the one container that still runs', { containers: ['terminated', 'running'] }, 'container b'],
    ['by the container before its volume', { containers: ['running'], volumes: dataVolume }, 'container a'],
    [
      'by its volume once its containers have stopped',
      { containers: ['terminated'], volumes: dataVolume },
      'the volume of claim ns/data',
    ],
    ['by no volume that nothing shows to be the last', { volumes: dataVolume }, 'its kubelet'],
  ])('%s', (_what, parts, text) => {
    expect(holderText(holderOf(leaving(parts)))).toBe(text);
  });
});

it.each([
  ['2026-01-01T09:59:01Z', false],
  ['2026-01-01T09:59:00Z', false],
  ['2026-01-01T09:58:59Z', true],
  ['2026-01-01T10:00:30Z', false],
])('a Pod that was to be gone by %s terminates for long: %s', (deletionTimestamp, isLong) => {
  expect(isTerminatingForLong(pod('ns/a', { deletionTimestamp }), now)).toBe(isLong);
});
