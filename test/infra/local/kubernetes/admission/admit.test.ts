import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
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

const validating = (validation: object) => aPolicy({ validations: [{ expression: 'false', ...validation }] });
const post = (server: ApiServer, query = {}) =>
  server.respond({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    query,
    body: JSON.stringify(aConfigMap()),
  });

const aReplicaSet = (replicas: number) => ({
  metadata: { name: 'r', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('a refusal', () => {
  it.each([
    [undefined, 422, 'Invalid'],
    ['Invalid', 422, 'Invalid'],
    ['Forbidden', 403, 'Forbidden'],
    ['Unauthorized', 401, 'Unauthorized'],
    ['RequestEntityTooLarge', 413, 'RequestEntityTooLarge'],
  ])('for reason %s has code %i and reason %s', (given, code, reason) => {
    const server = under(validating({ message: 'no', ...(given && { reason: given }) }));
    expect(JSON.parse(post(server).body)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: denied('no'),
      reason,
      details: {
        name: 'c',
        kind: 'configmaps',
        causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no" }],
      },
      code,
    });
  });

  it.each<[string, object, string]>([
    ['the message', { message: ' no ' }, 'no'],
    [
      'the made message before it',
      { message: 'no', messageExpression: "'not ' + object.metadata.name" },
      'not c',
    ],
    ['the message when none can be made', { message: 'no', messageExpression: "'not ' + object.nope" }, 'no'],
    ['the message when the made one is empty', { message: 'no', messageExpression: "'  '" }, 'no'],
    ['the message when the made one has two lines', { message: 'no', messageExpression: "'a\\nb'" }, 'no'],
    ['the expression when there is nothing else', { expression: ' false ' }, 'failed expression: false'],
  ])('says %s', (_, validation, why) => {
    expect(creation(under(validating(validation)))).toBe(denied(why));
  });

  it.each([
    [5120, 'as it is', 'x'.repeat(5120)],
    [5121, 'not at all', 'no'],
  ])('says a made message of %i bytes %s', (bytes, _, why) => {
    const server = under(validating({ message: 'no', messageExpression: 'string(object.data.text)' }));
    expect(creation(server, aConfigMap({ text: 'x'.repeat(bytes) }))).toBe(denied(why));
  });

  it('is the first of several', () => {
    const validations = [
      { expression: 'true' },
      { expression: 'false', message: 'first' },
      { expression: 'false', message: 'second' },
    ];
    expect(creation(under(aPolicy({ validations })))).toBe(denied('first'));
  });

  it('comes after those of the schema and before a name that is taken', () => {
    const server = under(validating({ message: 'no' }), aBinding({ policyName: 'later' }));
    expect(creation(server)).toBe('taken');
    server.cluster.create(bindings, { ...aBinding(), metadata: { name: 'b2' } });
    expect(creation(server)).toBe(denied('no').replace("'b'", "'b2'"));
    expect(creation(server, aConfigMap({}, { name: 'No' }))).toMatch(
      /^ConfigMap "No" is invalid: metadata.name/,
    );
  });
});

describe('what a policy sees', () => {
  it.each<[string, string]>([
    ['the object', "object.data.color == 'red' && object.kind == 'ConfigMap' && object.apiVersion == 'v1'"],
    ['no old object when there is none', 'oldObject == null'],
    ['whole numbers as integers', 'object.metadata.annotations.size() + 1 == 2'],
    ['the namespace', "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'"],
    [
      'the request',
      "request.operation == 'CREATE' && request.name == 'c' && request.namespace == 'default' && request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap' && request.subResource == '' && !request.dryRun",
    ],
    [
      'defaults that the API server fills in',
      'has(object.metadata.uid) && has(object.metadata.creationTimestamp)',
    ],
    ['nothing of the tongue it is judged in', '!has(object.constructor) && !has(object.data.toString)'],
  ])('%s', (_, expression) => {
    const server = under(wanting(expression));
    expect(creation(server, aConfigMap({ color: 'red' }, { annotations: { a: 'b' } }))).toBe('taken');
  });

  it('the old object and the new', () => {
    const server = under(wanting('oldObject == null || object.data.color == oldObject.data.color'));
    const made = server.cluster.create('configmaps', aConfigMap({ color: 'red' }));
    const patched = (data: object) => verdict(() => server.cluster.patch('configmaps', made, { data }));
    expect(patched({ size: 'big' })).toBe('taken');
    expect(patched({ color: 'blue' })).toBe(denied('refused'));
    expect(server.cluster.get('configmaps', 'default', 'c')?.data).toEqual({ color: 'red', size: 'big' });
  });

  it('numbers with and without a fraction', () => {
    const match = {
      matchConstraints: { resourceRules: [aRule({ apiGroups: ['apps'], resources: ['replicasets'] })] },
    };
    const server = under(wanting('object.spec.replicas + 1 < 4 && object.spec.replicas * 2 <= 6', match));
    expect(verdict(() => server.cluster.create('replicasets.apps', aReplicaSet(2)))).toBe('taken');
    expect(verdict(() => server.cluster.create('replicasets.apps', aReplicaSet(3)))).toMatch(
      /denied request: refused$/,
    );
  });

  it('variables, each made from those before it', () => {
    const variables = [
      { name: 'colors', expression: "object.data.colors.split(',')" },
      { name: 'loud', expression: "variables.colors.filter(color, color in ['pink', 'red'])" },
      { name: 'unused', expression: 'object.nope' },
    ];
    const validations = [
      {
        expression: 'size(variables.loud) == 0',
        messageExpression: "'loud: ' + variables.loud.join(' and ')",
      },
    ];
    const server = under(aPolicy({ variables, validations }));
    expect(creation(server, aConfigMap({ colors: 'pink,grey,red' }))).toBe(denied('loud: pink and red'));
    expect(creation(server, aConfigMap({ colors: 'grey' }))).toBe('taken');
  });
});

describe('what goes wrong in a policy', () => {
  const uncolored = aConfigMap({ size: 'big' });
  const broken = "object.data.color == 'red'";
  const error = `expression '${broken}' resulted in error: no such key: color`;

  it('refuses the write', () => {
    expect(creation(under(wanting(broken)), uncolored)).toBe(denied(error));
  });

  it('is no reason to refuse when the policy says so', () => {
    expect(creation(under(wanting(broken, { failurePolicy: 'Ignore' })))).toBe('taken');
  });

  it('in a condition refuses the write', () => {
    const policy = wanting('true', { matchConditions: [{ name: 'x', expression: broken }] });
    expect(creation(under(policy), uncolored)).toBe(denied(error));
  });

  it('in a condition does not matter when another does not hold', () => {
    const matchConditions = [
      { name: 'x', expression: broken },
      { name: 'y', expression: 'false' },
    ];
    expect(creation(under(wanting('false', { matchConditions })))).toBe('taken');
  });
});

describe('what is done about a refusal', () => {
  const warning = `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': refused"`;

  it('only a warning, when the binding only warns', () => {
    const server = under(wanting('false'), aBinding({ validationActions: ['Warn'] }));
    expect(post(server)).toMatchObject({ status: 201, headers: { warning } });
  });

  it('nothing that shows, when the binding only audits', () => {
    const { status, headers } = post(under(wanting('false'), aBinding({ validationActions: ['Audit'] })));
    expect([status, headers.warning]).toEqual([201, undefined]);
  });

  it('the same in a dry run', () => {
    expect(post(under(wanting('!request.dryRun')), { dryRun: 'All' }).status).toBe(422);
  });

  it('nothing without a binding, or without a policy', () => {
    const server = aServer();
    server.cluster.create(policies, wanting('false'));
    expect(creation(server)).toBe('taken');
    const other = aServer();
    other.cluster.create(bindings, aBinding());
    expect(creation(other)).toBe('taken');
  });

  it('nothing any more once the policy is gone or has changed', () => {
    const server = under(wanting('false'));
    const { cluster } = server;
    const policy = cluster.get(policies, undefined, 'p')!;
    expect(creation(server)).toBe(denied('refused'));
    cluster.patch(policies, policy, { spec: { validations: [{ expression: 'true' }] } });
    expect(creation(server)).toBe('taken');
    cluster.patch(policies, policy, { spec: { validations: [{ expression: 'false', message: 'no' }] } });
    expect(creation(server, aConfigMap({}, { name: 'd' }))).toBe(denied('no', 'd'));
    cluster.remove(policies, policy);
    expect(creation(server, aConfigMap({}, { name: 'd' }))).toBe('taken');
  });

  it('nothing to policies themselves', () => {
    const everything = { resourceRules: [aRule({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] })] };
    const { cluster } = under(wanting('false', { matchConstraints: everything }));
    const policy = { ...wanting('true'), metadata: { name: 'q' } };
    expect(verdict(() => cluster.create(policies, policy))).toBe('taken');
    expect(
      verdict(() => cluster.create('secrets', { metadata: { name: 's', namespace: 'default' } })),
    ).toMatch(/denied request: refused$/);
  });
});
