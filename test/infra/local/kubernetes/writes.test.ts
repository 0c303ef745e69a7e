import { describe, expect, test } from 'vitest';
import {
  aPod,
  aServer,
  budgets,
  configMap,
  configMaps,
  jsonPatch,
  leases,
  machine,
  machines,
  pods,
  type Server,
} from './stage.ts';

const unmeant = 'metadata.resourceVersion: Invalid value: 0: must be specified for an update';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';
const attachment = (metadata: object) => ({
  metadata: { name: 'va', ...metadata },
  spec: { attacher: 'd', nodeName: 'n1', source: { persistentVolumeName: 'pv' } },
});
const budget = (selector: object, metadata: object = {}) => ({
  metadata: { name: 'b', ...metadata },
  spec: { minAvailable: 1, selector },
});
const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: 'a' } });

/** With one object of each kind that is asked for. */
function filled(): Server {
  const server = aServer();
  server.ask('POST', configMaps, configMap('c', { finalizers: ['example.com/a'], labels: { a: 'b' } }));
  server.ask('POST', machines, machine('m'));
  server.ask('POST', attachments, attachment({}));
  server.ask('POST', budgets, budget({}));
  server.ask('POST', leases, lease('l'));
  server.ask('POST', pods, aPod('p', { initContainers: [{ name: 'first', image: 'first:1' }] }));
  return server;
}

describe('the version that a change is of', () => {
  test.each<[what: string, ...asked: Parameters<Server['ask']>]>([
    ['0 in a ConfigMap', 'PUT', `${configMaps}/c`, configMap('c', { resourceVersion: '0' }, { a: '2' })],
    ['0 in a patch of a ConfigMap', 'PATCH', `${configMaps}/c`, { metadata: { resourceVersion: '0' } }],
    ['taken off a ConfigMap', 'PATCH', `${configMaps}/c`, { metadata: { resourceVersion: null } }],
  ])('may be left unsaid: %s', (_what, ...asked) => {
    expect(filled().ask(...asked).status).toBe(200);
  });

  test.each<[what: string, name: string, ...asked: Parameters<Server['ask']>]>([
    [
      '0 in a Machine',
      'machines.cluster.x-k8s.io "m"',
      'PUT',
      `${machines}/m`,
      machine('m', { resourceVersion: '0' }),
    ],
    [
      'taken off a Machine',
      'machines.cluster.x-k8s.io "m"',
      'PATCH',
      `${machines}/m`,
      { metadata: { resourceVersion: null, labels: { a: 'b' } } },
    ],
    [
      'taken off a Machine by a JSON patch',
      'machines.cluster.x-k8s.io "m"',
      'PATCH',
      `${machines}/m`,
      [{ op: 'remove', path: '/metadata/resourceVersion' }],
      { type: jsonPatch },
    ],
    [
      "taken off a Machine in its status's patch",
      'machines.cluster.x-k8s.io "m"',
      'PATCH',
      `${machines}/m/status`,
      { metadata: { resourceVersion: null }, status: { phase: 'Running' } },
    ],
    ['none in a budget', 'poddisruptionbudgets.policy "b"', 'PUT', `${budgets}/b`, budget({})],
    [
      'none in an attachment',
      'volumeattachments.storage.k8s.io "va"',
      'PUT',
      `${attachments}/va`,
      attachment({ labels: { a: 'b' } }),
    ],
    [
      'taken off a Lease',
      'leases.coordination.k8s.io "l"',
      'PATCH',
      `${leases}/l`,
      { metadata: { resourceVersion: null }, spec: { holderIdentity: 'b' } },
    ],
  ])('has to be said: %s', (_what, name, ...asked) => {
    const { status, body } = filled().ask(...asked);
    expect([status, body.message]).toEqual([422, `${name} is invalid: ${unmeant}`]);
  });

  test.each([
    ['0', 201],
    ['abc', 201],
    ['5', 500],
  ])('%s of a new object is answered %i', (resourceVersion, status) => {
    const { ask } = filled();
    expect(ask('POST', configMaps, configMap('new', { resourceVersion })).status).toBe(status);
  });
});

test.each([
  ['Machine', `${machines}/m`, 'Machine.cluster.x-k8s.io "m"'],
  ['ConfigMap', `${configMaps}/c`, 'ConfigMap "c"'],
])('a deletion that nobody asked for cannot be written into a %s', (_kind, path, name) => {
  const { ask } = filled();
  const { status, body } = ask('PATCH', path, { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } });
  expect([status, body.message]).toEqual([
    422,
    `${name} is invalid: metadata.deletionTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable`,
  ]);
});

test('a Lease that is missing is made by replacing it, a ConfigMap is not', () => {
  const { ask } = filled();
  expect(ask('PUT', `${leases}/new`, lease('new'))).toMatchObject({
    status: 201,
    body: { metadata: { name: 'new' }, spec: { holderIdentity: 'a' } },
  });
  expect(ask('PUT', `${configMaps}/new`, configMap('new')).status).toBe(404);
});

describe('metadata in a write of the status', () => {
  const owner = { apiVersion: 'v1', kind: 'X', name: 'x', uid: '1' };
  const given = {
    labels: { a: 'b' },
    annotations: { a: 'b' },
    finalizers: ['example.com/b'],
    ownerReferences: [owner],
    deletionTimestamp: '2024-01-01T00:00:00Z',
  };

  test('stands in a Pod, but for its owners and its deletion', () => {
    const { metadata } = filled().ask('PATCH', `${pods}/p/status`, { metadata: given }).body;
    const { ownerReferences: _owners, deletionTimestamp: _at, ...written } = given;
    expect(metadata).toMatchObject(written);
    expect(metadata).not.toHaveProperty('ownerReferences');
    expect(metadata).not.toHaveProperty('deletionTimestamp');
  });

  test('is left out in an attachment', () => {
    const { ask } = filled();
    const { status, body } = ask('PATCH', `${attachments}/va/status`, {
      metadata: given,
      status: { attached: true },
    });
    expect([status, body.status]).toEqual([200, { attached: true }]);
    for (const field of Object.keys(given)) expect(body.metadata).not.toHaveProperty(field);
  });
});

test('an annotation counts as a change of a Deployment, and of a ReplicaSet it does not', () => {
  const { ask } = filled();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  const spec = { selector: { matchLabels: { a: 'b' } }, template };
  const generations = ['deployments', 'replicasets'].map((plural) => {
    const path = `/apis/apps/v1/namespaces/default/${plural}`;
    ask('POST', path, { metadata: { name: 'd' }, spec });
    return ask('PATCH', `${path}/d`, { metadata: { annotations: { a: 'b' } } }).body.metadata.generation;
  });
  expect(generations).toEqual([2, 1]);
});

describe('the selector of a budget', () => {
  const field = 'spec.selector.matchExpressions[0]';
  const labelRule = /^spec\.selector\.matchLabels: Invalid value: "a b": name part must consist of/;

  test.each<[selector: object, why: string]>([
    [
      { matchExpressions: [{ key: 'a', operator: 'Nope' }] },
      `${field}.operator: Invalid value: "Nope": not a valid selector operator`,
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      `${field}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      `${field}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ],
  ])('%j is refused', (selector, why) => {
    const { status, body } = aServer().ask('POST', budgets, budget(selector));
    expect([status, body.message]).toEqual([422, `PodDisruptionBudget.policy "b" is invalid: ${why}`]);
  });

  test('names labels as they may be named', () => {
    const { body } = aServer().ask('POST', budgets, budget({ matchLabels: { 'a b': 'c' } }));
    const [cause] = body.details.causes;
    expect(`${cause.field}: ${cause.message}`).toMatch(labelRule);
  });

  test.each([
    {
      matchExpressions: [
        { key: 'a', operator: 'NotIn', values: ['b'] },
        { key: 'c', operator: 'Exists' },
      ],
    },
    { matchLabels: { 'example.com/a': 'b' } },
    {},
  ])('%j is taken', (selector) => {
    expect(aServer().ask('POST', budgets, budget(selector)).status).toBe(201);
  });
});

const tolerations = (...keys: string[]) => ({
  spec: { tolerations: keys.map((key) => ({ key, operator: 'Exists' })) },
});

describe('a change of a Pod', () => {
  test('may be of the image of an init container', () => {
    const { ask } = filled();
    const spec = { initContainers: [{ name: 'first', image: 'first:2' }] };
    expect(ask('PATCH', `${pods}/p`, { spec }).status).toBe(200);
  });

  test('may add a toleration and take none away', () => {
    const { ask } = filled();
    const added = ask('PATCH', `${pods}/p`, tolerations('a', 'b'));
    expect([added.status, added.body.spec.tolerations.map(({ key }: { key: string }) => key)]).toEqual([
      200,
      ['a', 'b', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'],
    ]);
    const { status, body } = ask('PATCH', `${pods}/p`, tolerations('a'));
    expect([status, body.message]).toEqual([
      422,
      'Pod "p" is invalid: spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ]);
  });
});

const patched = (operation: object) => {
  const { status, body } = filled().ask('PATCH', `${configMaps}/c`, [operation], { type: jsonPatch });
  return [status, body.metadata?.finalizers];
};

describe('a JSON patch', () => {
  test.each([
    { op: 'replace', path: '/metadata/finalizers/1', value: 'example.com/b' },
    { op: 'test', path: '/metadata/finalizers/5', value: null },
    { op: 'test', path: '/metadata/annotations/a', value: null },
    { op: 'remove', path: '/metadata/finalizers/-2' },
  ])('is refused where what it is about is not there: %j', (operation) => {
    expect(patched(operation)).toEqual([422, undefined]);
  });

  test.each<[operation: object, finalizers: string[] | undefined]>([
    [{ op: 'remove', path: '/metadata/finalizers/-1' }, undefined],
    [
      { op: 'add', path: '/metadata/finalizers/-1', value: 'example.com/b' },
      ['example.com/a', 'example.com/b'],
    ],
    [{ op: 'replace', path: '/metadata/finalizers/-1', value: 'example.com/b' }, ['example.com/b']],
    [{ op: 'test', path: '/metadata/labels/c', value: null }, ['example.com/a']],
    [{ op: 'replace', path: '/metadata/labels/c', value: 'd' }, ['example.com/a']],
  ])('is done: %j', (operation, finalizers) => {
    expect(patched(operation)).toEqual([200, finalizers]);
  });

  test('that holds nothing is refused', () => {
    const { ask } = filled();
    expect(ask('PATCH', `${configMaps}/c`, [null], { type: jsonPatch }).status).toBe(422);
  });
});

describe('how a request is to be done', () => {
  const dryRun = 'dryRun: Unsupported value: ["x"]: supported values: "All"';

  test.each<[kind: string, why: string, ...asked: Parameters<Server['ask']>]>([
    ['CreateOptions', dryRun, 'POST', configMaps, configMap('n'), { query: { dryRun: 'x' } }],
    ['UpdateOptions', dryRun, 'PUT', `${configMaps}/c`, configMap('c'), { query: { dryRun: 'x' } }],
    ['PatchOptions', dryRun, 'PATCH', `${configMaps}/c`, {}, { query: { dryRun: 'x' } }],
    ['DeleteOptions', dryRun, 'DELETE', `${configMaps}/c`, undefined, { query: { dryRun: 'x' } }],
    ['DeleteOptions', dryRun, 'DELETE', `${configMaps}/c`, { dryRun: ['x'] }],
    [
      'PatchOptions',
      'fieldValidation: Unsupported value: "x": supported values: "Ignore", "Strict", "Warn"',
      'PATCH',
      `${configMaps}/c`,
      {},
      { query: { fieldValidation: 'x' } },
    ],
    [
      'PatchOptions',
      'force: Forbidden: may not be specified for non-apply patch',
      'PATCH',
      `${configMaps}/c`,
      {},
      { query: { force: 'true' } },
    ],
    [
      'UpdateOptions',
      'fieldManager: Too long: may not be more than 128 bytes',
      'PUT',
      `${configMaps}/c`,
      configMap('c'),
      { query: { fieldManager: 'x'.repeat(129) } },
    ],
  ])('is refused as %s: %s', (kind, why, ...asked) => {
    const { status, body } = filled().ask(...asked);
    expect([status, body.message]).toEqual([422, `${kind}.meta.k8s.io "" is invalid: ${why}`]);
  });

  test.each<[message: string, body: unknown, query: Record<string, string>]>([
    ['strconv.ParseInt: parsing "abc": invalid syntax', undefined, { gracePeriodSeconds: 'abc' }],
    [
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
      { gracePeriodSeconds: 'abc' },
      {},
    ],
  ])('is not understood: %s', (message, options, query) => {
    const { status, body } = filled().ask('DELETE', `${pods}/p`, options, { query });
    expect([status, body.message]).toEqual([400, message]);
  });

  test('an empty list is no dry run', () => {
    const { ask } = filled();
    ask('DELETE', `${pods}/p`, { dryRun: [] });
    expect(ask('GET', `${pods}/p`).body.metadata.deletionTimestamp).toBe('2026-01-01T00:00:30Z');
  });
});

test.each([
  ['serviceaccounts', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'x' } }],
  ['storageclasses', '/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'x' }, provisioner: 'p' }],
  ['csinodes', '/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'x' }, spec: { drivers: [] } }],
])('a delete of %s answers with the object', (_plural, path, object) => {
  const { ask } = aServer();
  ask('POST', path, object);
  expect(ask('DELETE', `${path}/x`).body).toMatchObject({ metadata: { name: 'x' } });
});
