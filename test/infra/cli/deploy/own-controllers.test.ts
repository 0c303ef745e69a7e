import { describe, expect, it } from 'vitest';
import { ownControllersIn } from '../../../../infra/cli/deploy/own-controllers.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

const deployment = (name: string, spec: object = {}): KubeObject => ({
  metadata: { namespace: 'system', name },
  spec,
});
const all = {
  capi: 'cluster.x-k8s.io/v1beta2',
  openshift: 'machine.openshift.io/v1beta1',
  v1alpha1: 'cluster.k8s.io/v1alpha1',
};

const found = (items: KubeObject[], machineApis: object = all): Promise<string[]> =>
  ownControllersIn({ list: async () => ({ items, resourceVersion: '1' }) }, { ...machineApis });

describe('the own controller of a Machine API', () => {
  // Where both run, both delete the same Machines.
  it.each([
    ['Cluster API', 'capi-controller-manager', 'capi'],
    ['OpenShift', 'machine-api-controllers', 'openshift'],
    ['the original Machine API', 'clusterapi-controllers', 'v1alpha1'],
    ['the original Machine API, by its other name', 'machine-controller', 'v1alpha1'],
  ] as const)('is known by its name: %s', async (_api, name, api) => {
    expect(await found([deployment(name)])).toEqual([`system/${name}`]);
    expect(await found([deployment(name)], { [api]: all[api] })).toEqual([`system/${name}`]);
    const { [api]: _, ...others } = all;
    expect(await found([deployment(name)], others)).toEqual([]);
  });

  it.each<[what: string, spec: object, runs: boolean]>([
    ['that says nothing of replicas', {}, true],
    ['of two replicas', { replicas: 2 }, true],
    ['that was scaled to none', { replicas: 0 }, false],
  ])('%s runs or not', async (_what, spec, runs) => {
    expect(await found([deployment('capi-controller-manager', spec)])).toHaveLength(runs ? 1 : 0);
  });

  it.each<[what: string, args: string[], runs: boolean]>([
    ['to look after nothing that there is', ['--v=2', '--watch-filter=left-to-phaseout'], false],
    ['to look after some', ['--watch-filter=capi'], true],
    ['so, and otherwise after that', ['--watch-filter=left-to-phaseout', '--watch-filter=capi'], true],
    ['otherwise, and so after that', ['--watch-filter=capi', '--watch-filter=left-to-phaseout'], false],
  ])('that was told %s looks after Machines or not', async (_what, args, runs) => {
    const spec = { template: { spec: { containers: [{ name: 'manager', args }] } } };
    expect(await found([deployment('capi-controller-manager', spec)])).toHaveLength(runs ? 1 : 0);
  });

  it('is none of what has another name', async () => {
    expect(await found([deployment('capi-kubeadm-bootstrap-controller-manager')])).toEqual([]);
  });
});
