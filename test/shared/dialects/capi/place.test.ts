import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { CouldNotLook } from '../../../../shared/kubernetes/port.ts';
import { aMachine } from './machines.ts';

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
    expect(() => clusterApi.clusterNameOf(machine)).toThrow(CouldNotLook);
    expect(() => clusterApi.clusterNameOf(machine)).toThrow('Machine default/m-1 names no Cluster');
  });

  test('has the same providerID as the Machine, to the letter', () => {
    expect(clusterApi.isSameServer('x://m-1', 'x://m-1')).toBe(true);
    expect(clusterApi.isSameServer('x://m-1', 'x://M-1')).toBe(false);
    // Servers of scale sets are numbered anew in each of them.
    expect(clusterApi.isSameServer('azure:///sets/a/vms/0', 'azure:///sets/b/vms/0')).toBe(false);
    expect(clusterApi.isSameServer('azure:///sets/a/vms/1', 'azure:///sets/a/vms/10')).toBe(false);
  });
});
