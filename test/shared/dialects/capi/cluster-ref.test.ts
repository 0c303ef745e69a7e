import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { Unavailable } from '../../../../shared/kubernetes/errors.ts';
import { aMachine } from '../../../builders/cluster-api.ts';

describe('the Node of a Machine', () => {
  test('is in the cluster that the Machine names', () => {
    expect(clusterApi.clusterNameOf(aMachine())).toBe('c');
    expect(clusterApi.workload(aMachine())).toEqual({
      kind: 'cluster',
      namespace: 'default',
      clusterName: 'c',
    });
  });

  test('is nowhere that is known where it names none', () => {
    const { clusterName: _, ...machine } = aMachine();
    expect(clusterApi.workload(machine)).toBeUndefined();
    expect(() => clusterApi.clusterNameOf(machine)).toThrow(Unavailable);
    expect(() => clusterApi.clusterNameOf(machine)).toThrow('Machine default/m-1 names no Cluster');
  });
});
