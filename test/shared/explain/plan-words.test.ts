import { describe, expect, test } from 'vitest';
import {
  limitRows,
  refusalAheadWords,
  refusalsOf,
  refusalWords,
  returningRows,
  unreachableChanges,
  unreachableTitle,
  volumeDetails,
} from '../../../shared/explain/plan-words.ts';
import type { DeletionPlan, PlannedRefusal } from '../../../shared/plan/deletion-plan.ts';

const plan: DeletionPlan = {
  machine: { apiVersion: 'v1', namespace: 'fleet', name: 'a', uid: 'u' },
  held: [],
  phases: [
    { phase: 'drain', does: 'work', why: '' },
    { phase: 'volume-detach', does: 'wait', why: '' },
    { phase: 'node', does: 'pass', why: '' },
  ],
  pods: [],
  batches: [],
  refusals: [],
  volumes: [],
  hooks: [],
  message: '',
};

const refusal: PlannedRefusal = { pod: 'shop/web-1', cause: 'BudgetExhausted', message: 'no room' };
const unknown: PlannedRefusal = { ...refusal, cause: 'Unknown' };

describe('the words for a plan', () => {
  test('say when a phase is given up, and which never is', () => {
    const limits = [{ phase: 'drain', seconds: 60, leftSeconds: 60, afterwards: 'it goes on' }] as const;
    expect(limitRows({ ...plan, limits: [...limits] })).toEqual([
      ['drain', 'is given up 60 s after it begins; then it goes on'],
      ['volume-detach', 'is never given up: no time limit is set'],
    ]);
  });

  test('say who refuses an eviction, now and in a later batch', () => {
    expect(refusalWords(refusal)).toBe('BudgetExhausted');
    const byBudget = { ...refusal, budget: 'shop/web' };
    expect(refusalWords(byBudget)).toBe('BudgetExhausted by PodDisruptionBudget shop/web');
    expect(refusalAheadWords({ ...byBudget, batch: 2 })).toBe(
      'PodDisruptionBudget shop/web will refuse in batch 2: BudgetExhausted',
    );
    expect(refusalAheadWords({ ...refusal, batch: 2 })).toBe('will be refused in batch 2: BudgetExhausted');
  });

  test('keep what is unknown apart from what is refused', () => {
    expect(refusalsOf({ ...plan, refusals: [refusal, unknown] })).toEqual({
      known: [refusal],
      unknown: [unknown],
    });
  });

  test('say what it changes that a Node is unreachable', () => {
    const node = { node: 'n1', since: '2026-01-01T00:00:00Z', changes: ['volumes stay'] };
    expect([unreachableTitle(node), ...unreachableChanges(node)]).toEqual([
      'Node n1 is unreachable, since 2026-01-01T00:00:00Z',
      'volumes stay',
    ]);
    expect([
      unreachableTitle({ node: 'n1', changes: [] }),
      ...unreachableChanges({ node: 'n1', changes: [] }),
    ]).toEqual([
      'Node n1 is unreachable, since when it does not say',
      'that changes nothing: no Pod is evicted any more, and no volume is waited for',
    ]);
  });

  test('say what is known of a volume, and that it was not given', () => {
    const volume = { kind: 'VolumeAttachment', name: 'csi-1', persistentVolume: 'pv-1' } as const;
    expect(volumeDetails({ ...volume, isVolumeGiven: false, detachError: 'it is busy' })).toBe(
      'of PersistentVolume pv-1, which was not given; detaching failed: it is busy',
    );
  });

  test('name what brings a Pod back: what it tolerates, as YAML has it, or the template that pins it', () => {
    const returning = [
      { pod: 'shop/a', toleration: { key: 'a', operator: 'Exists' } },
      { pod: 'shop/b', pinnedBy: 'ReplicaSet shop/b' },
    ];
    expect(returningRows({ ...plan, returning }).map(({ rows }) => rows)).toEqual([
      [['shop/a', 'toleration {key: a, operator: Exists}']],
      [['shop/b', 'nodeName in the template of ReplicaSet shop/b']],
    ]);
  });
});
