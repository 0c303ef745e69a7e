import { describe, expect, it } from 'vitest';
import { clusterApiDefinitions } from '../../../infra/local/kubernetes/crds/cluster-api.ts';
import type { ApiServer } from '../../../infra/local/kubernetes/server/api-server.ts';
import { type Asked, annotated, policyIn, serverWith, verdictOf } from './verdict.ts';

const policy = await policyIn('beside-rights.yaml');

const machines = 'machines.cluster.x-k8s.io';
const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/phaseout';
const drain = 'machine.cluster.x-k8s.io/exclude-node-draining';
const volumes = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';

/** An API server with one Machine, which has our hook, another's, and an annotation of somebody's. */
function aServer(): ApiServer {
  const server = serverWith(policy, clusterApiDefinitions());
  const machine = server.cluster.create(machines, {
    metadata: {
      name: 'm',
      namespace: 'default',
      finalizers: ['machine.cluster.x-k8s.io'],
      labels: { 'cluster.x-k8s.io/cluster-name': 'blue' },
      annotations: {
        [hook]: 'phaseout.dev',
        'pre-drain.delete.hook.machine.cluster.x-k8s.io/x': 'me',
        a: 'b',
      },
    },
    spec: {
      clusterName: 'blue',
      version: 'v1.36.2',
      deletion: { nodeDrainTimeoutSeconds: 60 },
      bootstrap: { dataSecretName: 'x' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachine', name: 'm' },
    },
  });
  server.cluster.remove(machines, machine);
  return server;
}

const verdict = (patch: object, asked: Asked = {}): string =>
  verdictOf(aServer(), '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines/m', patch, asked);

const handOver = [
  {
    op: 'test',
    path: '/metadata/annotations/pre-drain.delete.hook.machine.cluster.x-k8s.io~1phaseout',
    value: 'phaseout.dev',
  },
  { op: 'remove', path: '/metadata/annotations/pre-drain.delete.hook.machine.cluster.x-k8s.io~1phaseout' },
  { op: 'add', path: '/metadata/annotations/phaseout.dev~1checkpoint', value: '{}' },
  { op: 'add', path: '/metadata/annotations/machine.cluster.x-k8s.io~1exclude-node-draining', value: '' },
];

describe('phaseout may', () => {
  it.each<[string, object, Asked?]>([
    ['write annotations of its own', annotated({ 'phaseout.dev/checkpoint': '{}' })],
    ['take its hook off', annotated({ [hook]: null })],
    [
      'put its hook before the end of the server on',
      annotated({
        'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout': 'phaseout.dev',
        'phaseout.dev/registered-pre-terminate': '1',
      }),
    ],
    ['put its hook on', annotated({ [hook]: 'phaseout.dev', 'phaseout.dev/registered': '1' })],
    [
      'exclude a Machine from the drain and from the wait for volumes',
      annotated({ [drain]: '', [volumes]: '' }),
    ],
    ['hand over, all in one patch', handOver, { type: 'json-patch' }],
    ['write a condition', { status: { phase: 'Deleting' } }, { subresource: '/status' }],
    [
      'write while a webhook fills in how long the Node’s deletion may take',
      { ...annotated({ [hook]: null }), spec: { deletion: { nodeDeletionTimeoutSeconds: 10 } } },
    ],
  ])('%s', (_, patch, asked) => {
    expect(verdict(patch, asked)).toBe('taken');
  });
});

const otherAnnotation = (names: string) =>
  `403 phaseout may change annotations of its own only, and not ${names}`;
const notThese = '403 phaseout may not change finalizers, labels or owners of a Machine';
const notSpec = '403 phaseout may not change the spec of a Machine';
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'u' };

describe('phaseout may not', () => {
  it.each<[string, object, string]>([
    [
      'take the hook of another off',
      annotated({ 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x': null }),
      otherAnnotation('pre-drain.delete.hook.machine.cluster.x-k8s.io/x'),
    ],
    [
      'put on the hook of another installation',
      annotated({ [`${hook}-blue`]: 'phaseout.dev' }),
      otherAnnotation(`${hook}-blue`),
    ],
    [
      'put on a pre-terminate hook of another',
      annotated({ 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout-x': '' }),
      otherAnnotation('pre-terminate.delete.hook.machine.cluster.x-k8s.io/phaseout-x'),
    ],
    ['change annotations of others', annotated({ a: 'c', b: 'd' }), otherAnnotation('a, b')],
    [
      'take all annotations away',
      { metadata: { annotations: null } },
      otherAnnotation('pre-drain.delete.hook.machine.cluster.x-k8s.io/x, a'),
    ],
    [
      'pause a Machine',
      annotated({ 'cluster.x-k8s.io/paused': '' }),
      otherAnnotation('cluster.x-k8s.io/paused'),
    ],
    ['take the finalizer off', { metadata: { finalizers: null } }, notThese],
    ['label it', { metadata: { labels: { a: 'b' } } }, notThese],
    ['give it an owner', { metadata: { ownerReferences: [owner] } }, notThese],
    ['point it to another server', { spec: { infrastructureRef: { name: 'other' } } }, notSpec],
    ['give it a providerID', { spec: { providerID: 'aws:///i-1' } }, notSpec],
    ['change a time limit', { spec: { deletion: { nodeDrainTimeoutSeconds: 1 } } }, notSpec],
    ['add a time limit', { spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 1 } } }, notSpec],
    ['take the time limits away', { spec: { deletion: null } }, notSpec],
    ['take a field of the spec away', { spec: { version: null } }, notSpec],
    [
      'do so beside what it may',
      { ...annotated({ [hook]: null }), spec: { providerID: 'aws:///i-1' } },
      notSpec,
    ],
  ])('%s', (_, patch, why) => {
    expect(verdict(patch)).toBe(why);
  });
});

it('a ServiceAccount of the same name elsewhere is somebody else', () => {
  expect(verdict(annotated({ a: 'c' }), { user: 'other' })).toBe('taken');
});
