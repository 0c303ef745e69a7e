import { describe, expect, it } from 'vitest';
import { machines as clusterApiMachines } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { machineSets } from '../../../../../infra/local/kubernetes/crds/machine-sets.ts';
import { openShiftDefinitions } from '../../../../../infra/local/kubernetes/crds/openshift.ts';
import { v1alpha1Definitions } from '../../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import { ApiError, type KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

function aServer() {
  const server = createApiServer({ clock: new VirtualClock(Date.parse('2026-01-02T00:00:00Z')) });
  const all = [clusterApiMachines, machineSets, ...openShiftDefinitions, ...v1alpha1Definitions];
  for (const one of all) server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', one);
  return server;
}

const anObject = (apiVersion: string, kind: string, rest: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x', namespace: 'default' },
  ...rest,
});
const openShift = (kind: string, rest: object) => anObject('machine.openshift.io/v1beta1', kind, rest);
const v1alpha1 = (kind: string, rest: object) => anObject('cluster.k8s.io/v1alpha1', kind, rest);

function refusal(object: KubeObject): string {
  try {
    aServer().restore(object);
    return 'taken';
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

const restored = (object: KubeObject): unknown => aServer().restore(object);

const withHooks = (preDrain: object[], preTerminate: object[] = []) =>
  openShift('Machine', { spec: { lifecycleHooks: { preDrain, preTerminate }, providerSpec: {} } });

describe('lifecycle hooks', () => {
  const where = 'Machine.machine.openshift.io "x" is invalid: spec.lifecycleHooks.preDrain';
  const pattern =
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

  it.each([
    ['a name of their own', [{ name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' }]],
    ['a name with a domain', [{ name: 'foo.example.com/CamelCase', owner: 'me/too' }]],
    ['the longest name and owner', [{ name: 'a'.repeat(256), owner: 'o'.repeat(512) }]],
  ])('may have %s', (_, hooks) => {
    expect(refusal(withHooks(hooks))).toBe('taken');
  });

  it('may share a name across the two lists', () => {
    const hooks = [{ name: 'abc', owner: 'one' }];
    expect(refusal(withHooks(hooks, hooks))).toBe('taken');
  });

  it.each([
    [
      'a name twice',
      [
        { name: 'abc', owner: 'one' },
        { name: 'abc', owner: 'two' },
      ],
      `${where}[1]: Duplicate value: {"name":"abc"}`,
    ],
    ['no owner', [{ name: 'abc' }], `${where}[0].owner: Required value`],
    [
      'a short name',
      [{ name: 'ab', owner: 'one' }],
      `${where}[0].name: Invalid value: "ab": spec.lifecycleHooks.preDrain[0].name in body should be at least 3 chars long`,
    ],
    [
      'a long name',
      [{ name: 'a'.repeat(257), owner: 'one' }],
      `${where}[0].name: Too long: may not be more than 256 bytes`,
    ],
    [
      'a long owner',
      [{ name: 'abc', owner: 'o'.repeat(513) }],
      `${where}[0].owner: Too long: may not be more than 512 bytes`,
    ],
    [
      'a name of another form',
      [{ name: 'a b c', owner: 'one' }],
      `${where}[0].name: Invalid value: "a b c": spec.lifecycleHooks.preDrain[0].name in body should match '${pattern}'`,
    ],
  ])('are refused with %s', (_, hooks, expected) => {
    expect(refusal(withHooks(hooks))).toBe(expected);
  });
});

describe('objects as a cluster holds them', () => {
  it('keep what a provider says of a Machine of OpenShift, and lose what no field is for', () => {
    const spec = { providerSpec: { value: { ami: { id: 'ami-1' }, kind: 'AWSMachineProviderConfig' } } };
    const status = {
      phase: 'Running',
      nodeRef: { kind: 'Node', name: 'n', uid: 'u' },
      providerStatus: { instanceState: 'running' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      conditions: [
        { type: 'Drainable', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', severity: 'Info' },
      ],
    };
    expect(restored(openShift('Machine', { spec: { ...spec, bogus: 1 }, status }))).toMatchObject({
      spec,
      status,
    });
    expect(restored(openShift('Machine', { spec: { ...spec, bogus: 1 } }))).not.toHaveProperty('spec.bogus');
  });

  it('keep any field of a Machine of v1alpha1', () => {
    const spec = {
      providerSpec: { value: { any: 1 } },
      versions: { kubelet: '1.14.1', controlPlane: '1.14.1' },
      roles: ['Master'],
    };
    const status = { nodeRef: { name: 'n', uid: 'u', other: true }, custom: [1] };
    expect(restored(v1alpha1('Machine', { spec, status }))).toMatchObject({ spec, status });
  });

  it('are filled in as their definitions say', () => {
    const selector = { matchLabels: { set: 'x' } };
    expect(restored(openShift('MachineSet', { spec: { selector } }))).toMatchObject({
      spec: { replicas: 1 },
    });
    const unhealthyConditions = [{ type: 'Ready', status: 'Unknown', timeout: '5s' }];
    expect(
      restored(openShift('MachineHealthCheck', { spec: { selector, unhealthyConditions } })),
    ).toMatchObject({ spec: { maxUnhealthy: '100%', nodeStartupTimeout: '10m' } });
  });

  const selector = { matchLabels: { set: 'x' } };
  const check = (spec: object) =>
    openShift('MachineHealthCheck', {
      spec: { selector, unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '5s' }], ...spec },
    });
  it.each([
    ['a percentage', check({ maxUnhealthy: '40%' }), 'taken'],
    ['a number', check({ maxUnhealthy: 2 }), 'taken'],
    ['a number as text', check({ maxUnhealthy: '2' }), 'taken'],
    ['more than all', check({ maxUnhealthy: '101%' }), 'should match'],
    ['no unhealthy condition', check({ unhealthyConditions: [] }), 'should have at least 1 items'],
    ['no startup check', check({ nodeStartupTimeout: '0' }), 'taken'],
    [
      'an unknown delete policy',
      openShift('MachineSet', { spec: { selector, deletePolicy: 'Fattest' } }),
      'spec.deletePolicy: Unsupported value: "Fattest": supported values: "Random", "Newest", "Oldest"',
    ],
    [
      'an unknown delete policy of v1alpha1',
      v1alpha1('MachineSet', { spec: { selector, deletePolicy: 'Fattest' } }),
      'Unsupported value: "Fattest"',
    ],
    [
      'an unknown deletion order of Cluster API',
      anObject('cluster.x-k8s.io/v1beta2', 'MachineSet', {
        spec: {
          clusterName: 'blue',
          selector,
          deletion: { order: 'Fattest' },
          template: { spec: { clusterName: 'blue', bootstrap: {}, infrastructureRef: {} } },
        },
      }),
      'spec.deletion.order: Unsupported value: "Fattest"',
    ],
    ['no provider', v1alpha1('Machine', { spec: {} }), 'spec.providerSpec: Required value'],
  ])('are judged: %s', (_, object, expected) => {
    expect(refusal(object)).toContain(expected);
  });
});

function rows(plural: string, object: KubeObject) {
  const server = aServer();
  server.restore(object);
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const path = `/apis/${object.apiVersion}/namespaces/default/${plural}`;
  const { columnDefinitions, rows: found } = JSON.parse(
    server.respond({ method: 'GET', path, headers: { accept } }).body,
  );
  return {
    columns: columnDefinitions.map(({ name, priority }: { name: string; priority: number }) =>
      priority > 0 ? `${name} (wide)` : name,
    ),
    cells: found[0].cells,
  };
}

describe('tables', () => {
  it('show a Machine of OpenShift as oc does', () => {
    const machine = openShift('Machine', {
      metadata: {
        name: 'x',
        namespace: 'default',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: {
          'machine.openshift.io/instance-type': 'm5.large',
          'machine.openshift.io/region': 'us-east-1',
          'machine.openshift.io/zone': 'us-east-1a',
        },
        annotations: { 'machine.openshift.io/instance-state': 'running' },
      },
      spec: { providerID: 'local://x', providerSpec: {} },
      status: { phase: 'Running', nodeRef: { name: 'n' } },
    });
    expect(rows('machines', machine)).toEqual({
      columns: [
        'Name',
        'Phase',
        'Type',
        'Region',
        'Zone',
        'Age',
        'Node (wide)',
        'ProviderID (wide)',
        'State (wide)',
      ],
      cells: ['x', 'Running', 'm5.large', 'us-east-1', 'us-east-1a', '24h', 'n', 'local://x', 'running'],
    });
  });

  it('show a Machine of v1alpha1', () => {
    const spec = { providerID: 'local://x', providerSpec: {} };
    const machine = v1alpha1('Machine', { spec, status: { nodeRef: { name: 'n' } } });
    expect(rows('machines', machine)).toEqual({
      columns: ['Name', 'ProviderID', 'Phase', 'NodeName (wide)'],
      cells: ['x', 'local://x', null, 'n'],
    });
  });
});

it.each([
  ['machine.openshift.io/v1beta1', openShift('MachineSet', { spec: { selector: {}, replicas: 3 } })],
  ['cluster.k8s.io/v1alpha1', v1alpha1('MachineSet', { spec: { selector: {}, replicas: 3 } })],
])('MachineSets of %s can be scaled', (apiVersion, set) => {
  const server = aServer();
  server.restore(set);
  const path = `/apis/${apiVersion}/namespaces/default/machinesets/x/scale`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  const body = JSON.stringify({ spec: { replicas: 1 } });
  const answer = server.respond({ method: 'PATCH', path, headers, body });
  expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
  const group = apiVersion.split('/')[0] ?? '';
  expect(server.cluster.get(`machinesets.${group}`, 'default', 'x')).toMatchObject({ spec: { replicas: 1 } });
});
