import { describe, expect, test } from 'vitest';

import type { Resource } from '../../../shared/kubernetes/client.ts';
import { podDisruptionBudgets, pods } from '../../../shared/kubernetes/resources.ts';
import { type Given } from './under-test.ts';

export function discovering(given: Given): void {
  describe('discovering', () => {
    test.each<[string, string, string | undefined, Resource | undefined]>([
      ['', 'Pod', undefined, pods],
      ['', 'Nope', undefined, undefined],
      ['apps', 'DaemonSet', undefined, { group: 'apps', version: 'v1', plural: 'daemonsets' }],
      ['policy', 'PodDisruptionBudget', 'v1', podDisruptionBudgets],
      [
        'cluster.x-k8s.io',
        'Machine',
        undefined,
        { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines' },
      ],
      [
        'cluster.x-k8s.io',
        'Machine',
        'v1beta1',
        { group: 'cluster.x-k8s.io', version: 'v1beta1', plural: 'machines' },
      ],
      ['cluster.x-k8s.io', 'Machine', 'v1alpha9', undefined],
      ['cluster.x-k8s.io', 'Nope', undefined, undefined],
      ['nope.example.com', 'Machine', undefined, undefined],
      ['nope.example.com', 'Machine', 'v1', undefined],
    ])('%s %s %s', async (group, kind, version, resource) => {
      expect(await given().kubernetes.discover(group, kind, version)).toEqual(resource);
    });
  });
}
