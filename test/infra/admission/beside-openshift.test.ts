import { describe, expect, it } from 'vitest';
import { openShiftDefinitions } from '../../../infra/local/kubernetes/crds/openshift.ts';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { type Asked as AskedOfAny, annotated, policyIn, serverWith, verdictOf } from './verdict.ts';

const policy = await policyIn('beside-openshift.yaml');

const machines = 'machines.machine.openshift.io';
const etcd = { name: 'EtcdQuorumOperator', owner: 'clusteroperator/etcd' };
const ours = { name: 'phaseout', owner: 'phaseout.dev' };
const other = { name: 'other', owner: 'somebody' };
const blue = { name: 'phaseout-blue', owner: 'phaseout.dev' };

/** An API server with a master, which has the hook of etcd's operator, and ours unless it lives. */
function aServer(isLiving: boolean): ApiServer {
  const server = serverWith(policy, openShiftDefinitions);
  const machine = server.cluster.create(machines, {
    metadata: {
      name: 'm',
      namespace: 'default',
      finalizers: ['machine.machine.openshift.io'],
      labels: { 'machine.openshift.io/cluster-api-cluster': 'blue' },
      annotations: { a: 'b' },
    },
    spec: {
      lifecycleHooks: {
        preDrain: isLiving ? [etcd] : [etcd, ours],
        preTerminate: [other],
      },
      providerID: 'aws:///i-1',
      providerSpec: { value: {} },
    },
  });
  if (!isLiving) server.cluster.remove(machines, machine);
  return server;
}

interface Asked extends AskedOfAny {
  isLiving?: boolean;
}

function verdict(patch: object, { isLiving = false, ...asked }: Asked = {}): string {
  const path = '/apis/machine.openshift.io/v1beta1/namespaces/default/machines/m';
  return verdictOf(aServer(isLiving), path, patch, asked);
}

const hooked = (...preDrain: object[]) => ({ spec: { lifecycleHooks: { preDrain } } });

const handOver = [
  { op: 'test', path: '/spec/lifecycleHooks/preDrain/1', value: ours },
  { op: 'remove', path: '/spec/lifecycleHooks/preDrain/1' },
  { op: 'add', path: '/metadata/annotations/phaseout.dev~1checkpoint', value: '{}' },
];

describe('beside OpenShift phaseout may', () => {
  it.each<[string, object, Asked?]>([
    ['write annotations of its own', annotated({ 'phaseout.dev/checkpoint': '{}' })],
    ['take its hook off', hooked(etcd)],
    ['hand over, all in one patch', handOver, { type: 'json-patch' }],
    ['put its hook on a living Machine', hooked(etcd, ours), { isLiving: true }],
    [
      'put its hook before the end of the server on a living Machine',
      { spec: { lifecycleHooks: { preTerminate: [other, ours] } } },
      { isLiving: true },
    ],
    ['write conditions', { status: { phase: 'Deleting' } }, { subresource: '/status' }],
  ])('%s', (_, patch, asked) => {
    expect(verdict(patch, asked)).toBe('taken');
  });
});

const notAnnotations = (names: string) =>
  `403 phaseout may change annotations of its own only, and not ${names}`;
const notThese = '403 phaseout may not change finalizers, labels or owners of a Machine';
const notSpec = '403 phaseout may not change the spec of a Machine';
const notHooks = '403 phaseout may put on and take off no pre-drain hook but its own';
const excludeDrain = 'machine.openshift.io/exclude-node-draining';

describe('beside OpenShift phaseout may not', () => {
  it.each<[string, object, string, Asked?]>([
    ['take off the hook of another', hooked(ours), notHooks],
    ['change whose that hook is', hooked({ ...etcd, owner: 'somebody' }, ours), notHooks],
    ['put on the hook of another installation', hooked(etcd, blue), notHooks, { isLiving: true }],
    ['exclude a Machine from the drain', annotated({ [excludeDrain]: '' }), notAnnotations(excludeDrain)],
    ['change annotations of others', annotated({ a: 'c' }), notAnnotations('a')],
    ['take the finalizer off', { metadata: { finalizers: null } }, notThese],
    ['label it', { metadata: { labels: { a: 'b' } } }, notThese],
    ['give it another server', { spec: { providerID: 'aws:///i-2' } }, notSpec],
    [
      'take off a hook before the end of the server',
      { spec: { lifecycleHooks: { preTerminate: [] } } },
      '403 phaseout may put on and take off no pre-terminate hook but its own',
    ],
    [
      'put its hook before the end of the server on a Machine that is being deleted',
      { spec: { lifecycleHooks: { preTerminate: [other, ours] } } },
      '403 phaseout may put its hook on living Machines only',
    ],
  ])('%s', (_, patch, why, asked) => {
    expect(verdict(patch, asked)).toBe(why);
  });
});

it('beside OpenShift a ServiceAccount of the same name elsewhere is somebody else', () => {
  expect(verdict(annotated({ a: 'c' }), { user: 'other' })).toBe('taken');
});
