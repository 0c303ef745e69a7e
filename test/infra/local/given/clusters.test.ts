import { describe, expect, it } from 'vitest';
import { type GivenWorkload, workloadsOf } from '../../../../infra/local/given/clusters.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { aMachine } from '../../../builders/dump.ts';

const from = (path: string, ...objects: KubeObject[]) => objects.map((object) => ({ from: path, object }));
const given = (path: string, name?: string): GivenWorkload => ({
  cluster: name === undefined ? undefined : { namespace: 'fleet', name },
  manifests: from(path, { kind: 'Node', apiVersion: 'v1', metadata: { name: path } }),
});

const machineOf = (name: string, clusterName: string): KubeObject => {
  const machine = aMachine(name);
  return { ...machine, spec: { ...machine.spec, clusterName } };
};
const one = from('m.yaml', machineOf('a', 'blue'));
const two = from('m.yaml', machineOf('a', 'blue'), machineOf('b', 'green'));
const machineA = [{ namespace: 'fleet', name: 'a' }];

const found = (...args: Parameters<typeof workloadsOf>): string[] =>
  workloadsOf(...args).map(
    ({ namespace, name, manifests }) =>
      `${namespace}/${name}: ${manifests.map((manifest) => manifest.from).join(' ')}`,
  );

describe('a workload cluster', () => {
  it.each<[string, Parameters<typeof workloadsOf>, string[]]>([
    ['is that of the only Cluster', [one, [given('b')], undefined], ['fleet/blue: b']],
    ['is that of the Machine in question', [two, [given('b')], machineA], ['fleet/blue: b']],
    ['is that of the Cluster that is named', [two, [given('g', 'green')], machineA], ['fleet/green: g']],
    [
      'may be one of several',
      [two, [given('g', 'green'), given('b', 'blue')], undefined],
      ['fleet/green: g', 'fleet/blue: b'],
    ],
    [
      'may be given in several parts',
      [two, [given('b', 'blue'), given('c', 'blue')], undefined],
      ['fleet/blue: b c'],
    ],
  ])('%s', (_, args, expected) => {
    expect(found(...args)).toEqual(expected);
  });

  it('is found by a Cluster that no Machine is of', () => {
    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'blue', namespace: 'fleet' },
    };
    expect(found(from('m.yaml', cluster), [given('b')], undefined)).toEqual(['fleet/blue: b']);
  });

  it.each<[string, Parameters<typeof workloadsOf>, string]>([
    [
      'of a Cluster that is not there',
      [two, [given('r', 'red')], undefined],
      '--load-workload: there is no Cluster fleet/red in what --load gives (there are: fleet/blue, fleet/green)',
    ],
    [
      'of one of several Clusters that nobody names',
      [two, [given('b')], undefined],
      '--load-workload: name its Cluster, as NAMESPACE/CLUSTER=PATH (there are: fleet/blue, fleet/green)',
    ],
    [
      'without any Cluster',
      [[], [given('b')], undefined],
      '--load-workload: what --load gives has no Cluster',
    ],
  ])('%s is refused', (_, args, message) => {
    expect(() => workloadsOf(...args)).toThrow(message);
  });
});
