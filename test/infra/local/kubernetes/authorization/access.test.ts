import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../../infra/local/kubernetes/authorization/access.ts';
import { type ApiServer, createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const rbac = 'rbac.authorization.k8s.io';
const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  someone: { name: 'someone', groups: ['staff'] },
};

let clock: VirtualClock;
let server: ApiServer;
let audited: AuditEntry[];

beforeEach(() => {
  clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  audited = [];
  const access = { users, audit: (entry: AuditEntry) => void audited.push(entry) };
  server = createApiServer({ clock, access });
  for (const name of ['shop', 'fleet']) server.cluster.create('namespaces', { metadata: { name } });
});

type Query = Record<string, string>;

function ask(token: string, method: string, path: string, more: { query?: Query; body?: object } = {}) {
  const { query = {}, body } = more;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = server.respond({
    method,
    path,
    query,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { code: answer.status, body: answer.body };
}

const codeOf = (...asked: Parameters<typeof ask>): number => ask(...asked).code;

function role(rule: object, labels: Record<string, string> = {}, name = 'some'): void {
  server.cluster.create(`clusterroles.${rbac}`, { metadata: { name, labels }, rules: [rule] });
}

const roleRef = (name = 'some') => ({ apiGroup: rbac, kind: 'ClusterRole', name });
const staff = { kind: 'Group', apiGroup: rbac, name: 'staff' };

function bind(name = 'some'): void {
  server.cluster.create(`clusterrolebindings.${rbac}`, {
    metadata: { name },
    roleRef: roleRef(name),
    subjects: [staff],
  });
}

function bindIn(namespace: string, subjects: object[] = [staff]): void {
  server.cluster.create(`rolebindings.${rbac}`, {
    metadata: { name: 'some', namespace },
    roleRef: roleRef(),
    subjects,
  });
}

describe('a rule allows', () => {
  const pods = {
    apiGroups: [''],
    resources: ['pods'],
    verbs: ['get', 'list', 'watch', 'patch', 'deletecollection'],
  };
  const evictions = { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] };
  const all = { apiGroups: ['infrastructure.cluster.x-k8s.io'], resources: ['*'], verbs: ['get'] };
  const statuses = { apiGroups: ['apps'], resources: ['*/status'], verbs: ['get'] };
  const one = {
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: ['token'],
    verbs: ['get', 'list', 'create'],
  };
  const paths = { nonResourceURLs: ['/logs/*'], verbs: ['get'] };
  const infrastructure = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/fleet';
  const named = { query: { fieldSelector: 'metadata.name=token' } };

  it.each<[object, string, string, { query?: Query; body?: object }]>([
    [pods, 'GET', '/api/v1/pods', {}],
    [pods, 'GET', '/api/v1/namespaces/shop/pods/a', {}],
    [pods, 'GET', '/api/v1/pods', { query: { watch: 'true' } }],
    [pods, 'GET', '/api/v1/watch/pods', {}],
    [pods, 'DELETE', '/api/v1/namespaces/shop/pods', {}],
    [evictions, 'POST', '/api/v1/namespaces/shop/pods/a/eviction', { body: { metadata: { name: 'a' } } }],
    [all, 'GET', `${infrastructure}/servers/a`, {}],
    [all, 'GET', `${infrastructure}/servers/a/status`, {}],
    [statuses, 'GET', '/apis/apps/v1/namespaces/shop/daemonsets/a/status', {}],
    [one, 'GET', '/api/v1/namespaces/shop/secrets/token', {}],
    [one, 'GET', '/api/v1/namespaces/shop/secrets', named],
    [paths, 'GET', '/logs/x', {}],
  ])('%j: %s %s %j', (rule, method, path, more) => {
    expect(codeOf('someone', method, path, more)).toBe(403);
    role(rule);
    bind();
    expect(codeOf('someone', method, path, more)).not.toBe(403);
  });

  it.each<[object, string, string, { query?: Query; body?: object }]>([
    [pods, 'DELETE', '/api/v1/namespaces/shop/pods/a', {}],
    [pods, 'PATCH', '/api/v1/namespaces/shop/pods/a/status', { body: {} }],
    [pods, 'POST', '/api/v1/namespaces/shop/pods/a/eviction', { body: { metadata: { name: 'a' } } }],
    [pods, 'GET', '/apis/apps/v1/namespaces/shop/pods/a', {}],
    [evictions, 'POST', '/api/v1/namespaces/shop/pods', { body: { metadata: { name: 'a' } } }],
    [one, 'GET', '/api/v1/namespaces/shop/secrets/other', {}],
    [one, 'GET', '/api/v1/namespaces/shop/secrets', {}],
    [one, 'POST', '/api/v1/namespaces/shop/secrets', { body: { metadata: { name: 'token' } } }],
    [paths, 'GET', '/metrics', {}],
  ])('%j, and not %s %s %j', (rule, method, path, more) => {
    role(rule);
    bind();
    expect(codeOf('someone', method, path, more)).toBe(403);
  });
});

describe('a binding', () => {
  const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] };

  it('in a namespace gives nothing elsewhere', () => {
    role(secrets);
    bindIn('shop');
    expect(codeOf('someone', 'GET', '/api/v1/namespaces/shop/secrets')).toBe(200);
    expect(codeOf('someone', 'GET', '/api/v1/namespaces/fleet/secrets')).toBe(403);
    expect(codeOf('someone', 'GET', '/api/v1/secrets')).toBe(403);
  });

  it('to a role that is missing gives nothing, and the refusal says so', () => {
    bind();
    expect(ask('someone', 'GET', '/api/v1/secrets').body).toContain(
      String.raw`at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io \"some\" not found`,
    );
  });

  it('to a ServiceAccount gives it to no other, neither by name nor by namespace', () => {
    role(secrets);
    bindIn('shop', [{ kind: 'ServiceAccount', name: 'bot', namespace: 'fleet' }]);
    expect(
      [
        ['fleet', 'bot'],
        ['shop', 'bot'],
        ['fleet', 'other'],
      ].map(listSecretsAs),
    ).toEqual([200, 403, 403]);
  });
});

const listSecretsAs = ([namespace = '', name = '']: string[]): number =>
  codeOf(tokenOf(namespace, name), 'GET', '/api/v1/namespaces/shop/secrets');

function tokenOf(namespace: string, name: string): string {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}`;
  if (server.cluster.get('serviceaccounts', namespace, name) === undefined)
    server.cluster.create('serviceaccounts', { metadata: { name, namespace } });
  const { code, body } = ask('admin', 'POST', `${path}/token`, {
    body: { spec: { expirationSeconds: 600 } },
  });
  expect(code).toBe(201);
  return JSON.parse(body).status.token;
}

describe("a ServiceAccount's token", () => {
  const version = ['GET', '/version'] as const;

  it('is of no use once it has expired', async () => {
    const token = tokenOf('shop', 'bot');
    expect(codeOf(token, ...version)).toBe(200);
    await clock.advance(600_000);
    expect(codeOf(token, ...version)).toBe(401);
  });

  it('goes with the ServiceAccount, and another of its name does not bring it back', () => {
    const token = tokenOf('shop', 'bot');
    server.cluster.remove('serviceaccounts', { metadata: { name: 'bot', namespace: 'shop' } });
    expect(codeOf(token, ...version)).toBe(401);
    tokenOf('shop', 'bot');
    expect(codeOf(token, ...version)).toBe(401);
  });

  it('is not had for less than ten minutes, nor by whoever may not ask for it', () => {
    tokenOf('shop', 'bot');
    const path = '/api/v1/namespaces/shop/serviceaccounts/bot/token';
    expect(codeOf('admin', 'POST', path, { body: { spec: { expirationSeconds: 60 } } })).toBe(422);
    expect(codeOf('someone', 'POST', path, { body: {} })).toBe(403);
    expect(codeOf('admin', 'POST', path.replace('bot', 'none'), { body: {} })).toBe(404);
  });
});

const listNodes = (): number => codeOf('someone', 'GET', '/api/v1/nodes');

describe('a ClusterRole that aggregates others', () => {
  const nodes = { apiGroups: [''], resources: ['nodes'], verbs: ['list'] };
  const label = { 'example.com/aggregate': 'true' };

  it('has the rules of those that have the label, whenever they come or go', () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }] };
    server.cluster.create(`clusterroles.${rbac}`, { metadata: { name: 'some' }, aggregationRule });
    bind();
    role(nodes, {}, 'unlabelled');
    expect(listNodes()).toBe(403);
    role(nodes, label, 'labelled');
    expect(listNodes()).toBe(200);
    expect(server.cluster.get(`clusterroles.${rbac}`, undefined, 'some')?.['rules']).toEqual([nodes]);
    server.cluster.remove(`clusterroles.${rbac}`, { metadata: { name: 'labelled' } });
    expect(listNodes()).toBe(403);
  });
});

const createRole = (kind: string, rules: object[]): string =>
  ask('admin', 'POST', `/apis/${rbac}/v1/${kind}`, { body: { metadata: { name: 'a' }, rules } }).body;

it('a role without verbs, groups or resources is refused, and a namespaced one with paths', () => {
  expect(createRole('clusterroles', [{}])).toContain(
    'rules[0].verbs: Required value: verbs must contain at least one value, rules[0].apiGroups',
  );
  expect(createRole('namespaces/shop/roles', [{ nonResourceURLs: ['/x'], verbs: ['get'] }])).toContain(
    'namespaced rules cannot apply to non-resource URLs',
  );
});

it('the audit log has who asked what, and the answer', () => {
  role({ apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] });
  bind();
  ask('someone', 'POST', '/api/v1/namespaces/shop/pods/a/eviction', { body: { metadata: { name: 'a' } } });
  ask('someone', 'GET', '/apis/cluster.x-k8s.io/v1beta2/machines', { query: { watch: 'true' } });
  ask('nobody', 'GET', '/version');
  const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };
  const pod = { resource: 'pods', subresource: 'eviction', namespace: 'shop', name: 'a' };
  expect(audited).toEqual([
    { ...nothing, ...pod, user: 'someone', verb: 'create', decision: 'allow', code: 404 },
    {
      ...nothing,
      user: 'someone',
      verb: 'watch',
      group: 'cluster.x-k8s.io',
      resource: 'machines',
      decision: 'forbid',
      code: 403,
    },
    { ...nothing, user: '', verb: 'get', path: '/version', decision: 'forbid', code: 401 },
  ]);
});
