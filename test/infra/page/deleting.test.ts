import { expect, test } from 'vitest';
import { deletingView } from '../../../infra/page/look/deleting.ts';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { serializeCheckpoint } from '../../../shared/machine/checkpoint.ts';

const now = Date.parse('2026-01-01T00:01:00Z');
const since = '2026-01-01T00:00:30Z';
const api = {
  dialect: clusterApi,
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
};

const machine = (annotations: Record<string, string>, reason: string): KubeObject => ({
  apiVersion: api.apiVersion,
  kind: 'Machine',
  metadata: {
    namespace: 'fleet',
    name: 'worker-1',
    uid: 'u',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['machine.cluster.x-k8s.io'],
    annotations,
  },
  spec: { clusterName: 'blue', infrastructureRef: { apiGroup: 'x', kind: 'X', name: 'worker-1' } },
  status: { conditions: [{ type: 'Deleting', status: 'True', reason, message: '' }] },
});

const signs = { passed: '✓', here: '●', skipped: '–', ahead: '○' } as const;
const steps = (seen: KubeObject): string =>
  (deletingView({ api, machine: seen }, now, [])?.steps ?? [])
    .map(({ phase, state }) => `${signs[state]} ${phase}`)
    .join('  ');

const checkpoint = { v: 1, uid: 'u', seq: 2, since } as const;

test('phases that a deletion has passed, where it is, and those to come', () => {
  const passed = {
    'pre-drain': { as: 'done', since },
    drain: { as: 'not-applicable', since },
  } as const;
  const text = serializeCheckpoint({ ...checkpoint, phase: 'volume-detach', passed });
  expect(steps(machine({ 'phaseout.dev/checkpoint': text }, 'WaitingForVolumeDetach'))).toBe(
    '✓ pre-drain  – drain  ● volume-detach  ○ pre-terminate  ○ infrastructure  ○ bootstrap  ○ node  ○ finalize',
  );
});

test('after a hand-over the phases of the controller of the API follow', () => {
  const handedOver = { ...checkpoint, phase: 'hand-over', released: since, passed: {} } as const;
  const text = serializeCheckpoint(handedOver);
  expect(steps(machine({ 'phaseout.dev/checkpoint': text }, 'WaitingForInfrastructureDeletion'))).toBe(
    '✓ pre-drain  ✓ drain  ✓ volume-detach  ✓ hand-over  ✓ pre-terminate  ● infrastructure  ○ bootstrap  ○ node  ○ finalize',
  );
});

test('a deletion that the controller of the API does alone is where its condition says', () => {
  expect(steps(machine({}, 'DrainingNode'))).toBe(
    '✓ pre-drain  ● drain  ○ volume-detach  ○ pre-terminate  ○ infrastructure  ○ bootstrap  ○ node  ○ finalize',
  );
});
