import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine, aNode } from '../../../builders/dump.ts';
import { aThing, notesOf, notesOn } from './dump.ts';

const cluster = (spec: object): KubeObject => ({
  ...aThing('cluster.x-k8s.io/v1beta2', 'Cluster', 'fleet', 'blue'),
  spec,
});
const pools = (...names: string[]) => [
  `MachinePools are not played, and the answer may differ: no Machine or Node is made or replaced by ${names.join(', ')}`,
];
const pool = (clusterName: string): KubeObject => ({
  ...aThing('cluster.x-k8s.io/v1beta2', 'MachinePool', 'fleet', 'spot'),
  spec: { clusterName },
});

describe('what makes Machines elsewhere', () => {
  it('is a topology of the Cluster', () => {
    expect(notesOn(cluster({ topology: { version: 'v1.33.0' } }))).toEqual([
      'Cluster fleet/blue has a topology, which is not played, and the answer may differ: its control plane and its sets of Machines stay as they were given',
    ]);
    expect(notesOn(cluster({}))).toEqual([]);
  });

  it('is a MachinePool of the Cluster', () => {
    expect(notesOn(pool('blue'))).toEqual(pools('fleet/spot'));
    expect(notesOn(pool('green'))).toEqual([]);
  });

  it.each([
    ['names', { labels: { 'cluster.x-k8s.io/pool-name': 'spot' } }],
    [
      'is owned by',
      {
        ownerReferences: [
          { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachinePool', name: 'spot', uid: 'p' },
        ],
      },
    ],
  ])('is a MachinePool that the Machine %s, given or not', (_, metadata) => {
    expect(notesOf([aMachine('a', { metadata }), aNode('a')])).toEqual(pools('fleet/spot'));
  });
});
