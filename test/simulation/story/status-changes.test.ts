import { expect, test } from 'vitest';
import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { changesBetween } from './status-changes.ts';

const machine = (status: object, apiVersion = 'cluster.x-k8s.io/v1beta2'): KubeObject => ({
  apiVersion,
  kind: 'Machine',
  metadata: { name: 'm1' },
  status,
});

const condition = (type: string, status: string, time = '2026-01-01T00:00:00Z') => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: time,
});

test.each<[string, KubeObject, KubeObject, string[]]>([
  ['nothing', machine({ phase: 'Running' }), machine({ phase: 'Running' }), []],
  [
    'fields, old ones and new ones',
    machine({ phase: 'Running', nodeRef: { name: 'n' }, failureReason: 'a' }),
    machine({ phase: 'Deleting', nodeRef: { name: 'n' }, deletion: {}, observedGeneration: 2 }),
    ['phase', 'failureReason', 'deletion'],
  ],
  [
    'what conditions say, but not when',
    machine({ conditions: [condition('Ready', 'True'), condition('NodeHealthy', 'True')] }),
    machine({
      conditions: [condition('Ready', 'False'), condition('NodeHealthy', 'True', '2026-01-01T00:01:00Z')],
    }),
    ['Ready'],
  ],
  [
    'a condition that comes, beside one that is told in full',
    machine({ conditions: [] }),
    machine({ conditions: [condition('Deleting', 'True'), condition('UpToDate', 'True')] }),
    ['UpToDate'],
  ],
  [
    'conditions of v1beta1 in the newer form',
    machine({ v1beta2: { conditions: [condition('Ready', 'True')] } }, 'cluster.x-k8s.io/v1beta1'),
    machine({ v1beta2: { conditions: [condition('Ready', 'False')] } }, 'cluster.x-k8s.io/v1beta1'),
    ['Ready'],
  ],
])('a status that is written anew changes %s', (_what, before, now, changes) => {
  expect(changesBetween(before, now)).toEqual(changes);
});
