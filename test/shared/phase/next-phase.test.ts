import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../../shared/dialects/dialect.ts';
import type { NodeDeletion } from '../../../shared/dialects/gate.ts';
import type { Machine } from '../../../shared/machine/machine.ts';
import { type Phase, phases } from '../../../shared/machine/phase.ts';
import { type NextPhase, nextPhase } from '../../../shared/phase/next-phase.ts';
import { aMachine } from '../../builders/cluster-api.ts';

const allowed: NodeDeletion = { allowed: true };
const refused: NodeDeletion = { allowed: false, why: 'noderef is nil' };

const hooked = {
  'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '',
  'pre-terminate.delete.hook.machine.cluster.x-k8s.io/a': '',
};
const excluded = {
  'machine.cluster.x-k8s.io/exclude-node-draining': 'false',
  'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '',
};
const withoutBootstrap = aMachine({ spec: { bootstrap: {} } });

/** All phases a Machine visits that is done with each at once. */
function visited(machine: Machine, nodeDeletion: NodeDeletion, dialect = clusterApi): Phase[] {
  const legs: Phase[] = [];
  for (let from: Phase | undefined; from !== 'finalize'; from = legs.at(-1)) {
    legs.push(nextPhase(machine, dialect, nodeDeletion, { from }).phase);
  }
  return legs;
}

describe('what is visited', () => {
  test.each<[string, Machine, NodeDeletion, Phase[]]>([
    [
      'a plain worker: no hooks',
      aMachine(),
      allowed,
      ['drain', 'volume-detach', 'infrastructure', 'bootstrap', 'node', 'finalize'],
    ],
    [
      'a Machine with hooks at both points: everything',
      aMachine({ annotations: hooked }),
      allowed,
      phases.filter((phase) => phase !== 'hand-over'),
    ],
    [
      'a Machine excluded from drain and volume wait: neither',
      aMachine({ annotations: excluded }),
      allowed,
      ['infrastructure', 'bootstrap', 'node', 'finalize'],
    ],
    [
      'a Machine excluded from the drain only: its volumes are waited for',
      aMachine({ annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } }),
      allowed,
      ['volume-detach', 'infrastructure', 'bootstrap', 'node', 'finalize'],
    ],
    [
      'a Machine excluded from the volume wait only: it is drained',
      aMachine({ annotations: { 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': '' } }),
      allowed,
      ['drain', 'infrastructure', 'bootstrap', 'node', 'finalize'],
    ],
    [
      'a Machine whose Node may not be touched: no Node phases, and its pre-drain hooks do not count',
      aMachine({ annotations: hooked }),
      refused,
      ['pre-terminate', 'infrastructure', 'bootstrap', 'finalize'],
    ],
    [
      'a Machine without bootstrap config',
      withoutBootstrap,
      allowed,
      ['drain', 'volume-detach', 'infrastructure', 'node', 'finalize'],
    ],
  ])('%s', (_who, machine, nodeDeletion, expected) => {
    expect(visited(machine, nodeDeletion)).toEqual(expected);
  });

  test('only phases that the Machine API has', () => {
    const dialect = { ...clusterApi, phases: ['infrastructure', 'node', 'finalize'] as const };
    expect(visited(aMachine({ annotations: hooked }), allowed, dialect)).toEqual([
      'infrastructure',
      'node',
      'finalize',
    ]);
  });
});

describe('what is passed by on the way', () => {
  test.each<[string, Machine, NodeDeletion, Phase | undefined, NextPhase]>([
    [
      'hooks that are not there',
      aMachine(),
      allowed,
      undefined,
      { phase: 'drain', skipped: [{ phase: 'pre-drain', as: 'done' }] },
    ],
    [
      'a bootstrap config that is not there',
      withoutBootstrap,
      allowed,
      'infrastructure',
      { phase: 'node', skipped: [{ phase: 'bootstrap', as: 'done' }] },
    ],
    [
      'what an annotation excludes',
      aMachine({ annotations: excluded }),
      allowed,
      undefined,
      {
        phase: 'infrastructure',
        skipped: [
          { phase: 'pre-drain', as: 'done' },
          { phase: 'drain', as: 'excluded' },
          { phase: 'volume-detach', as: 'excluded' },
          { phase: 'pre-terminate', as: 'done' },
        ],
      },
    ],
    [
      'a Node that may not be touched',
      aMachine({ annotations: excluded }),
      refused,
      undefined,
      {
        phase: 'infrastructure',
        skipped: [
          { phase: 'pre-drain', as: 'not-applicable' },
          { phase: 'drain', as: 'not-applicable' },
          { phase: 'volume-detach', as: 'not-applicable' },
          { phase: 'pre-terminate', as: 'done' },
        ],
      },
    ],
    [
      'the Node phase of such a Node',
      aMachine(),
      refused,
      'bootstrap',
      { phase: 'finalize', skipped: [{ phase: 'node', as: 'not-applicable' }] },
    ],
    ['nothing between neighbours', aMachine(), allowed, 'drain', { phase: 'volume-detach', skipped: [] }],
    ['nothing after the end', aMachine(), allowed, 'finalize', { phase: 'finalize', skipped: [] }],
  ])('%s', (_what, machine, nodeDeletion, from, leg) => {
    expect(nextPhase(machine, clusterApi, nodeDeletion, { from })).toEqual(leg);
  });
});

test('what the Machine itself shows to be done is not visited', () => {
  const dialect: Dialect = {
    ...clusterApi,
    isDone: (_machine, phase) => phase === 'pre-drain' || phase === 'drain',
  };
  const hookedMachine = aMachine({ annotations: hooked });
  expect(nextPhase(hookedMachine, dialect, allowed)).toEqual({
    phase: 'volume-detach',
    skipped: [
      { phase: 'pre-drain', as: 'done' },
      { phase: 'drain', as: 'done' },
    ],
  });
});

test('where DeletionHooks are asked, the phase is visited in any case', () => {
  const closed = { allowed: false, why: 'cluster is being deleted' } as const;
  expect(nextPhase(aMachine(), clusterApi, closed, { asksAt: ['pre-drain'] })).toEqual({
    phase: 'pre-drain',
    skipped: [],
  });
  expect(
    nextPhase(aMachine(), clusterApi, closed, { from: 'pre-drain', asksAt: ['pre-terminate'] }),
  ).toMatchObject({ phase: 'pre-terminate' });
});
