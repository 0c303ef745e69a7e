import { describe, expect, it } from 'vitest';
import type { DeletionStatus } from '../../../../shared/explain/deletion-status.ts';
import {
  byName,
  type Grouping,
  groupStandings,
  oldestFirst,
} from '../../../../shared/explain/fleet/standing-groups.ts';

const refuses =
  "Pod shop/web-1: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently";

const aStanding = (name: string, parts: Partial<DeletionStatus> = {}): DeletionStatus => ({
  machine: { apiVersion: 'cluster.x-k8s.io/v1beta2', namespace: 'fleet', name, uid: name },
  cluster: 'blue',
  carriedBy: 'phaseout',
  phase: 'drain',
  deletedAt: '2026-11-27T12:00:00Z',
  waitsFor: { reason: 'DrainingNode', message: 'x' },
  acts: { who: 'phaseout', name: 'phaseout' },
  state: 'progressing',
  rank: 2,
  ...parts,
});

const byBudget = (name: string): DeletionStatus =>
  aStanding(name, {
    waitsFor: { reason: 'DrainingNode', message: refuses },
    acts: { who: 'budget-owner', name: 'the owner of PodDisruptionBudget shop/web' },
    state: 'held',
    rank: 0,
  });

const byHook = aStanding('h', {
  phase: 'pre-drain',
  cluster: 'green',
  waitsFor: { reason: 'WaitingForPreDrainHook', message: '' },
  acts: { who: 'hook-owner', name: 'edge (move-traffic)' },
  state: 'held',
  rank: 0,
  deletedAt: '2026-11-27T10:00:00Z',
});

const all = [
  byBudget('a10'),
  byBudget('a9'),
  byHook,
  aStanding('g'),
  aStanding('l', { state: 'late', rank: 1 }),
];

describe('deletions in groups', () => {
  it.each<[Grouping, [string, number][]]>([
    [
      'blocker',
      [
        ['PodDisruptionBudget shop/web, in cluster fleet/blue', 2],
        ['hook of edge (move-traffic)', 1],
        ['DrainingNode', 2],
      ],
    ],
    [
      'owner',
      [
        ['the owner of PodDisruptionBudget shop/web', 2],
        ['edge (move-traffic)', 1],
        ['phaseout', 2],
      ],
    ],
    [
      'cluster',
      [
        ['fleet/blue', 4],
        ['fleet/green', 1],
      ],
    ],
    [
      'phase',
      [
        ['drain', 4],
        ['pre-drain', 1],
      ],
    ],
  ])('by %s have that of the worst first, of those the largest', (by, expected) => {
    expect(groupStandings(all, by).map(({ name, machines }) => [name, machines.length])).toEqual(expected);
  });

  it('say how their Machines stand, and since when the oldest is being deleted', () => {
    const standings = [aStanding('g'), aStanding('l', { state: 'late', rank: 1 }), byHook].map((each) => ({
      ...each,
      phase: 'drain' as const,
    }));
    expect(groupStandings(standings, 'phase')).toEqual([
      {
        name: 'drain',
        machines: ['fleet/g', 'fleet/l', 'fleet/h'],
        states: { held: 1, late: 1, progressing: 1 },
        oldestDeletedAt: '2026-11-27T10:00:00Z',
        acts: [
          { who: 'phaseout', name: 'phaseout' },
          { who: 'hook-owner', name: 'edge (move-traffic)' },
        ],
      },
    ]);
  });

  it('are two where budgets of two clusters have one name', () => {
    const elsewhere = { ...byBudget('b1'), cluster: 'green' };
    const unknown = byBudget('c1');
    delete unknown.cluster;
    const groups = groupStandings([byBudget('a9'), elsewhere, unknown], 'blocker');
    expect(groups.map(({ name, machines }) => [name, machines])).toEqual([
      ['PodDisruptionBudget shop/web', ['fleet/c1']],
      ['PodDisruptionBudget shop/web, in cluster fleet/blue', ['fleet/a9']],
      ['PodDisruptionBudget shop/web, in cluster fleet/green', ['fleet/b1']],
    ]);
  });
});

describe('the order of deletions', () => {
  it('may be that of their age, or of their names', () => {
    expect(oldestFirst(all).map(({ machine }) => machine.name)).toEqual(['h', 'a10', 'a9', 'g', 'l']);
    expect(byName(all).map(({ machine }) => machine.name)).toEqual(['a9', 'a10', 'g', 'h', 'l']);
  });
});
