import { describe, expect, test } from 'vitest';
import { NoMachineApi, servedMachineApis } from '../../../infra/host/served-machine-apis.ts';
import { dialectsOf } from '../../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';

/** A cluster that serves Machines in these versions. */
const aCluster = (...versions: string[]): Pick<Kubernetes, 'discover'> => ({
  discover: async (group, kind, version = '') =>
    kind === 'Machine' && versions.includes(`${group}/${version}`)
      ? { group, version, plural: 'machines' }
      : undefined,
});

const allButOne: Kubernetes['discover'] = async (group) => {
  if (group === 'machine.openshift.io') throw new Unavailable('503');
  return { group, version: 'v1beta2', plural: 'machines' };
};

describe('the Machine APIs of a cluster', () => {
  test.each([
    ['one of them', ['machine.openshift.io/v1beta1'], ['machine.openshift.io/v1beta1']],
    [
      'all of them, each in a version of its own',
      ['cluster.k8s.io/v1alpha1', 'machine.openshift.io/v1beta1', 'cluster.x-k8s.io/v1beta1'],
      ['cluster.x-k8s.io/v1beta1', 'machine.openshift.io/v1beta1', 'cluster.k8s.io/v1alpha1'],
    ],
    [
      'the newer version where both are served',
      ['cluster.x-k8s.io/v1beta1', 'cluster.x-k8s.io/v1beta2'],
      ['cluster.x-k8s.io/v1beta2'],
    ],
    [
      'none in a version that is not known',
      ['cluster.x-k8s.io/v1', 'cluster.k8s.io/v1alpha1'],
      ['cluster.k8s.io/v1alpha1'],
    ],
  ])('are %s', async (_what, versions, found) => {
    const apis = await servedMachineApis(aCluster(...versions), 'https://c');
    expect(apis.map(({ apiVersion }) => apiVersion)).toEqual(found);
    expect(apis.map(({ resource: { group, version } }) => `${group}/${version}`)).toEqual(found);
  });

  test('are only those that are wanted', async () => {
    const cluster = aCluster('cluster.x-k8s.io/v1beta2', 'cluster.k8s.io/v1alpha1');
    const wanted = dialectsOf({ machineApis: ['v1alpha1', 'openshift'] });
    const apis = await servedMachineApis(cluster, 'https://c', wanted);
    expect(apis.map(({ apiVersion }) => apiVersion)).toEqual(['cluster.k8s.io/v1alpha1']);
    await expect(
      servedMachineApis(cluster, 'https://c', dialectsOf({ machineApis: ['openshift'] })),
    ).rejects.toThrow('https://c serves no Machines (none of machine.openshift.io is installed there)');
  });

  test('are missed, with the names of all that would do', async () => {
    const looking = servedMachineApis(aCluster('cluster.x-k8s.io/v1'), 'https://c');
    await expect(looking).rejects.toThrow(NoMachineApi);
    await expect(looking).rejects.toThrow(
      'https://c serves no Machines (none of cluster.x-k8s.io, machine.openshift.io, cluster.k8s.io is installed there)',
    );
  });

  test('are not told while one of them cannot be asked for', async () => {
    await expect(servedMachineApis({ discover: allButOne }, 'https://c')).rejects.toThrow('503');
  });
});
