import { describe, expect, test } from 'vitest';
import { clusterApiDefinitions } from '../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../infra/local/kubernetes/crds/definition.ts';
import { machineV1beta1 } from '../../infra/local/kubernetes/crds/machine-schema.ts';
import { conformance } from './conformance.ts';
import { aServer, outcomesOf, refusalOf } from './harness-stage.ts';
import { readOptions } from './options.ts';

/** As before Cluster API 1.9, or with an unknown version. */
const oldMachines = (version: string) =>
  customResourceDefinition({
    group: 'cluster.x-k8s.io',
    kind: 'Machine',
    plural: 'machines',
    versions: [{ name: version, schema: withoutNewConditions, subresources: { status: {} } }],
  });

const { status, ...others } = machineV1beta1.properties ?? {};
const kept = Object.entries(status?.properties ?? {}).filter(([name]) => name !== 'v1beta2');
const withoutNewConditions = {
  ...machineV1beta1,
  properties: { ...others, status: { ...status, properties: Object.fromEntries(kept) } },
};

// Nearly all that they do is wait, so they do it at the same time.
describe.concurrent('the harness, on an API server with Machines of others or of other versions', {
  timeout: 120_000,
}, () => {
  test('where somebody else has Machines it does not run, unless it is confined to namespaces of its own', async (context) => {
    const { outside, apiServer, left } = await aServer(context);
    for (const definition of clusterApiDefinitions())
      apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
    apiServer.cluster.create('namespaces', { metadata: { name: 'theirs' } });
    const metadata = { name: 'theirs-1', namespace: 'theirs', finalizers: ['machine.cluster.x-k8s.io'] };
    const spec = {
      clusterName: 'theirs',
      bootstrap: { dataSecretName: 'a' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'A', name: 'a' },
    };
    const machine = apiServer.cluster.create('machines.cluster.x-k8s.io', { metadata, spec });
    apiServer.cluster.remove('machines.cluster.x-k8s.io', machine);
    const before = apiServer.cluster.get('machines.cluster.x-k8s.io', 'theirs', 'theirs-1');
    expect(await refusalOf(conformance(readOptions(['--only', 'control-plane']), outside))).toMatch(
      /has 1 Machines of somebody else \(theirs\/theirs-1/,
    );
    expect(left()).toEqual([]);

    const options = readOptions(['--only', 'control-plane', '--beside-machines', '--timeout', '100']);
    expect(outcomesOf(await conformance(options, outside))).toEqual([
      'run control-plane not run phaseout run looks after the Machines of all namespaces, and there are others',
      'manifests control-plane passed',
      'clean-up passed',
    ]);
    expect(apiServer.cluster.get('machines.cluster.x-k8s.io', 'theirs', 'theirs-1')).toEqual(before);
    expect(left()).toEqual([]);
  });

  test('an older Cluster API is told of in its own version, as far as it can say how a deletion is', async (context) => {
    const { outside, apiServer, notes, left } = await aServer(context);
    apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', oldMachines('v1beta1'));
    const options = readOptions(['--only', 'late-hook', 'control-plane', '--timeout', '40']);
    const why =
      'Machines of Cluster API have v1beta1 alone here, without status.v1beta2, where Cluster API 1.9 says how far a deletion is';
    expect(outcomesOf(await conformance(options, outside)).toSorted()).toEqual([
      'clean-up passed',
      'manifests control-plane passed',
      `manifests late-hook not run ${why}`,
      'run control-plane passed',
      `run late-hook not run ${why}`,
    ]);
    expect(notes).toContain('Machine APIs that are there: cluster.x-k8s.io/v1beta1; admission policies: yes');
    expect(left()).toEqual([]);
  });

  test('where Machines are served in no version that is known it does not run', async (context) => {
    const { outside, apiServer } = await aServer(context);
    apiServer.cluster.create('customresourcedefinitions.apiextensions.k8s.io', oldMachines('v1alpha4'));
    expect(await refusalOf(conformance(readOptions([]), outside))).toMatch(
      /serves Machines of cluster\.x-k8s\.io in v1alpha4, which is not known here/,
    );
  });
});
