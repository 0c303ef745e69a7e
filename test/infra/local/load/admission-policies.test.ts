import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { installPolicies, readAdmissionPolicies } from '../../../../infra/local/load/admission-policies.ts';
import { load } from '../../../../infra/local/load/load.ts';
import { VirtualClock } from '../../../golden/kubernetes/virtual-clock.ts';
import { aBinding, aPolicy, bindings, policies } from '../kubernetes/admission/stage.ts';

const url = 'http://127.0.0.1:4711';
const name = 'machine-lifecycle-hooks.phaseout.dev';

function loaded(...objects: readonly KubeObject[]) {
  const apiServer = createApiServer({ clock: new VirtualClock(0) });
  const manifests = objects.map((object, index) => ({ from: `dump.yaml:${index}`, object }));
  return { apiServer, cluster: apiServer.cluster, ...load(apiServer, manifests, url) };
}

const machine: KubeObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'openshift-machine-api' },
  spec: { providerSpec: {} },
};

describe('the policy on OpenShift Machines', () => {
  it('holds where they are served', async () => {
    const { apiServer, cluster } = loaded(machine);
    installPolicies(apiServer, await readAdmissionPolicies());
    expect(cluster.get(policies, undefined, name)).toMatchObject({ spec: { failurePolicy: 'Fail' } });
    expect(cluster.get(bindings, undefined, name)).toMatchObject({ spec: { policyName: name } });
  });

  it('is not there where they are not', async () => {
    const { apiServer, cluster } = loaded();
    installPolicies(apiServer, await readAdmissionPolicies());
    expect(cluster.get(policies, undefined, name)).toBeUndefined();
    expect(cluster.get(bindings, undefined, name)).toBeUndefined();
  });

  it('is left as it came with a dump', async () => {
    const own = { ...aPolicy(), metadata: { name, labels: { from: 'the-dump' } } };
    const { apiServer, cluster } = loaded(machine, own);
    installPolicies(apiServer, await readAdmissionPolicies());
    expect(cluster.get(policies, undefined, name)?.metadata.labels).toEqual({ from: 'the-dump' });
    expect(cluster.list(bindings)).toHaveLength(1);
  });
});

it.each<[string, KubeObject[], string]>([
  ['MachineDrainRules', [], 'machine-drain-rules.phaseout.dev'],
  ["OpenShift's Machines", [machine], name],
])('where %s are served, their policy holds and no other', async (_, objects, only) => {
  const { apiServer, cluster } = loaded(...objects);
  installPolicies(apiServer, await readAdmissionPolicies());
  expect(cluster.list(policies).map(({ metadata }) => metadata.name)).toEqual([only]);
  expect(cluster.list(bindings)).toMatchObject([{ spec: { policyName: only } }]);
});

describe('policies in a dump', () => {
  it('hold', () => {
    const { cluster, notes } = loaded(aPolicy(), aBinding());
    const names = [...cluster.list(policies), ...cluster.list(bindings)].map(({ metadata }) => metadata.name);
    expect(names).toEqual(['p', 'b']);
    expect(notes.filter((note) => note.includes('enforce'))).toEqual([]);
    expect(() => cluster.create('configmaps', { metadata: { name: 'c', namespace: 'default' } })).toThrow(
      /denied request/,
    );
  });

  it.each<[string, KubeObject[], string]>([
    [
      'that ask for more than is enforced here',
      [
        aPolicy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
        aBinding({ paramRef: { name: 'x' } }),
      ],
      '1 ValidatingAdmissionPolicy, 1 ValidatingAdmissionPolicyBinding',
    ],
    [
      'of an old version',
      [{ ...aPolicy(), apiVersion: 'admissionregistration.k8s.io/v1beta1' }],
      '1 ValidatingAdmissionPolicy',
    ],
  ])('%s are left out, and it is said', (_, objects, kinds) => {
    const { cluster, notes } = loaded(...objects);
    expect([...cluster.list(policies), ...cluster.list(bindings)]).toEqual([]);
    expect(notes).toContain(`left out, because nothing here can enforce them: ${kinds}`);
  });
});
