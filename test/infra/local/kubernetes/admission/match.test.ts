import { describe, expect, it } from 'vitest';
import { machines as clusterApiMachines } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import {
  aBinding,
  aConfigMap,
  aPolicy,
  aRule,
  aServer,
  bindings,
  creation,
  denied,
  policies,
  under,
  verdict,
  wanting,
} from './stage.ts';

const matching = (match: object) =>
  wanting('false', { matchConstraints: { resourceRules: [aRule()], ...match } });
const ruled = (rule: object) => matching({ resourceRules: [aRule(rule)] });
const labelled = aConfigMap({}, { labels: { team: 'a' } });

describe('a policy speaks of', () => {
  it.each<[string, object]>([
    ['any group', { apiGroups: ['*'] }],
    ['any version', { apiVersions: ['*'] }],
    ['any resource', { resources: ['*'] }],
    ['one of several', { apiGroups: ['apps', ''], resources: ['pods', 'configmaps'] }],
    ['one by name', { resourceNames: ['a', 'c'] }],
    ['what has a namespace', { scope: 'Namespaced' }],
  ])('%s', (_, rule) => {
    expect(creation(under(ruled(rule)))).toBe(denied('refused'));
  });

  it.each<[string, object]>([
    ['another group', { apiGroups: ['apps'] }],
    ['another version', { apiVersions: ['v2'] }],
    ['another resource', { resources: ['secrets'] }],
    ['another operation', { operations: ['UPDATE'] }],
    ['another name', { resourceNames: ['a'] }],
    ['what has no namespace', { scope: 'Cluster' }],
    ['a subresource', { resources: ['configmaps/status'] }],
  ])('nothing else when it speaks of %s', (_, rule) => {
    expect(creation(under(ruled(rule)))).toBe('taken');
  });

  it.each([
    ['Cluster', /denied request: refused$/],
    ['*', /denied request: refused$/],
    ['Namespaced', /^taken$/],
  ])('what is in no namespace, or not, in the scope %s', (scope, outcome) => {
    const { cluster } = under(ruled({ resources: ['nodes'], scope }));
    expect(verdict(() => cluster.create('nodes', { metadata: { name: 'n' } }))).toMatch(outcome);
  });

  it('all but what it leaves out', () => {
    const server = under(matching({ excludeResourceRules: [aRule({ resourceNames: ['c'] })] }));
    expect(creation(server)).toBe('taken');
    expect(creation(server, aConfigMap({}, { name: 'd' }))).toBe(denied('refused', 'd'));
  });

  it('objects with a label, before or after the change', () => {
    const objectSelector = { matchLabels: { team: 'a' } };
    const server = under(
      wanting("request.operation == 'CREATE'", {
        matchConstraints: { resourceRules: [aRule()], objectSelector },
      }),
    );
    const made = server.cluster.create('configmaps', labelled);
    const unlabelled = server.cluster.create('configmaps', aConfigMap({}, { name: 'd' }));
    const relabel = (object: typeof made, team: string | null) =>
      verdict(() => server.cluster.patch('configmaps', object, { metadata: { labels: { team } } }));
    expect(relabel(made, null)).toBe(denied('refused'));
    expect(relabel(unlabelled, 'a')).toBe(denied('refused', 'd'));
    expect(relabel(unlabelled, 'b')).toBe('taken');
  });

  it('namespaces with a label, and what is in them', () => {
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } };
    const rule = aRule({ resources: ['configmaps', 'namespaces', 'nodes'] });
    const server = under(matching({ resourceRules: [rule], namespaceSelector }));
    expect(creation(server)).toBe(denied('refused'));
    expect(creation(server, aConfigMap({}, { namespace: 'kube-system' }))).toBe('taken');
    const { cluster } = server;
    expect(verdict(() => cluster.create('namespaces', { metadata: { name: 'other' } }))).toBe('taken');
    const home = cluster.get('namespaces', undefined, 'default')!;
    expect(verdict(() => cluster.patch('namespaces', home, { metadata: { labels: { a: 'b' } } }))).toMatch(
      /refused$/,
    );
    // What is in no namespace is in all of them.
    expect(verdict(() => cluster.create('nodes', { metadata: { name: 'n' } }))).toMatch(/refused$/);
  });
});

describe('a binding', () => {
  it.each<[string, object, string]>([
    ['narrows by label', { objectSelector: { matchLabels: { team: 'b' } } }, 'taken'],
    ['narrows by rule', { resourceRules: [aRule({ operations: ['UPDATE'] })] }, 'taken'],
    ['leaves the policy as it is where it says nothing', {}, denied('refused')],
    ['agrees with its policy', { objectSelector: { matchLabels: { team: 'a' } } }, denied('refused')],
    ['does not widen its policy', { resourceRules: [aRule({ resources: ['*'] })] }, denied('refused')],
  ])('%s', (_, matchResources, outcome) => {
    const server = under(ruled({}), aBinding({ matchResources }));
    expect(creation(server, labelled)).toBe(outcome);
    expect(verdict(() => server.cluster.create('secrets', { ...labelled, kind: 'Secret' }))).toBe('taken');
  });
});

describe('several versions of a kind', () => {
  const rule = aRule({ apiGroups: ['cluster.x-k8s.io'], apiVersions: ['v1beta1'], resources: ['machines'] });
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'default' },
    spec: {
      clusterName: 'c',
      bootstrap: { dataSecretName: 'b' },
      infrastructureRef: { apiGroup: 'infrastructure.example.com', kind: 'Server', name: 's' },
    },
  };

  it.each([
    ['are one to a policy', 'Equivalent', /denied request: at cluster.x-k8s.io\/v1beta1$/],
    ['are not one to a policy that is exact', 'Exact', /^taken$/],
  ])('%s', (_, matchPolicy, outcome) => {
    const { cluster } = aServer();
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', clusterApiMachines);
    const matchConstraints = { resourceRules: [rule], matchPolicy };
    const validations = [{ expression: 'false', messageExpression: "'at ' + object.apiVersion" }];
    cluster.create(policies, aPolicy({ matchConstraints, validations }));
    cluster.create(bindings, aBinding());
    expect(verdict(() => cluster.create('machines.cluster.x-k8s.io', machine))).toMatch(outcome);
  });

  it.each([
    [undefined, /denied request: no$/],
    ['Equivalent', /denied request: no$/],
    ['Exact', /^taken$/],
  ])('are one or not to a binding that says %s', (matchPolicy, outcome) => {
    const { cluster } = aServer();
    cluster.create('customresourcedefinitions.apiextensions.k8s.io', clusterApiMachines);
    const matchConstraints = { resourceRules: [rule] };
    cluster.create(
      policies,
      aPolicy({ matchConstraints, validations: [{ expression: 'false', message: 'no' }] }),
    );
    const matchResources = { resourceRules: [rule], ...(matchPolicy && { matchPolicy }) };
    cluster.create(bindings, aBinding({ matchResources }));
    expect(verdict(() => cluster.create('machines.cluster.x-k8s.io', machine))).toMatch(outcome);
  });
});

it('the status of an object is a matter of its own', () => {
  const rule = aRule({ apiGroups: ['apps'], resources: ['deployments/status'] });
  const { cluster } = under(
    wanting("request.subResource == 'status' && object.status.replicas < 3", {
      matchConstraints: { resourceRules: [rule] },
    }),
  );
  const deployment = {
    metadata: { name: 'd', namespace: 'default' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  };
  const made = cluster.create('deployments.apps', deployment);
  const patched = (replicas: number, subresource = '') =>
    verdict(() =>
      cluster.patch('deployments.apps', made, { spec: { replicas }, status: { replicas } }, subresource),
    );
  expect(patched(9)).toBe('taken');
  expect(patched(2, 'status')).toBe('taken');
  expect(patched(3, 'status')).toMatch(/^deployments.apps "d" is forbidden: .* denied request: refused$/);
});
