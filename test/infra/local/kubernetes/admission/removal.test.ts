import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../../infra/local/kubernetes/objects/cluster.ts';
import type { ApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { aBinding, aConfigMap, aRule, denied, under, verdict, wanting } from './stage.ts';

/** A policy that has its say when something goes. */
const onRemoval = (expression: string, rule: object = {}): KubeObject =>
  wanting(expression, { matchConstraints: { resourceRules: [aRule({ operations: ['DELETE'], ...rule })] } });

const path = '/api/v1/namespaces/default/configmaps';
const protectedByName = onRemoval("oldObject.metadata.name != 'kept'");

function holding(policy: KubeObject, ...objects: KubeObject[]): ApiServer {
  const server = under(policy);
  for (const object of objects) server.cluster.create('configmaps', object);
  return server;
}

const kept = aConfigMap({}, { name: 'kept' });

const request = (server: ApiServer, at = `${path}/kept`, query = {}) =>
  server.respond({ method: 'DELETE', path: at, query });

const namesIn = ({ cluster }: ApiServer): string[] =>
  cluster.list('configmaps').map(({ metadata }) => metadata.name);

describe('a removal', () => {
  it('is refused by a policy that wants the object to stay', () => {
    const server = holding(protectedByName, kept);
    const answer = request(server);
    expect({ code: answer.status, why: JSON.parse(answer.body).message }).toEqual({
      code: 422,
      why: denied('refused', 'kept'),
    });
    expect(verdict(() => server.cluster.remove('configmaps', kept))).toBe(denied('refused', 'kept'));
    expect(namesIn(server)).toEqual(['kept']);
  });

  it('of what the policy does not want to keep goes on', () => {
    const server = holding(protectedByName, aConfigMap());
    expect(request(server, `${path}/c`).status).toBe(200);
    expect(namesIn(server)).toEqual([]);
  });

  it('of a whole collection stops at the first that must stay', () => {
    const server = holding(protectedByName, aConfigMap(), kept, aConfigMap({}, { name: 'z' }));
    expect(request(server, path).status).toBe(422);
    expect(namesIn(server)).toEqual(['kept', 'z']);
  });

  it('shows the object as the old one, and no new one', () => {
    const seen =
      "object == null && oldObject.metadata.name == 'kept' && request.operation == 'DELETE' && request.name == 'kept' && namespaceObject.metadata.name == 'default'";
    expect(request(holding(onRemoval(seen), kept)).status).toBe(200);
  });

  it('that is only tried is judged as well', () => {
    const dry = { dryRun: 'All' };
    expect(request(holding(onRemoval('!request.dryRun'), kept), `${path}/kept`, dry).status).toBe(422);
  });

  it('is judged by what the policy selects of the old object', () => {
    const selecting = wanting('false', {
      matchConstraints: {
        resourceRules: [aRule({ operations: ['DELETE'] })],
        objectSelector: { matchLabels: { kept: 'yes' } },
      },
    });
    const labelled = aConfigMap({}, { name: 'kept', labels: { kept: 'yes' } });
    expect(request(holding(selecting, kept)).status).toBe(200);
    expect(request(holding(selecting, labelled)).status).toBe(422);
  });

  it('is not judged again while it goes on', () => {
    const server = holding(onRemoval('!has(oldObject.metadata.deletionTimestamp)'), {
      ...kept,
      metadata: { ...kept.metadata, finalizers: ['example.com/held'] },
    });
    expect([request(server).status, request(server).status]).toEqual([200, 200]);
  });

  it.each([
    ['a policy for all operations', ['*'], 422],
    ['a policy for changes alone', ['CREATE', 'UPDATE'], 200],
  ])('under %s', (_, operations, status) => {
    const server = holding(onRemoval("request.operation == 'CREATE'", { operations }), kept);
    expect(request(server).status).toBe(status);
  });
});

it('an eviction is no removal to policies', () => {
  const server = under(onRemoval('false', { resources: ['pods'] }));
  const pod = {
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  server.cluster.create('pods', pod);
  const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
  const at = '/api/v1/namespaces/default/pods/p/eviction';
  expect(server.respond({ method: 'POST', path: at, body }).status).toBe(201);
  expect(verdict(() => server.cluster.remove('pods', pod))).toMatch(/not found$/);
});

describe('who asks', () => {
  it('is the API server itself when nobody is told apart', () => {
    const seen =
      "request.userInfo.username == 'system:apiserver' && 'system:masters' in request.userInfo.groups";
    expect(request(holding(onRemoval(seen), kept)).status).toBe(200);
  });

  it('is whom the request comes from', () => {
    const seen = "request.userInfo.username != 'jane' || !('cleaners' in request.userInfo.groups)";
    const server = holding(onRemoval(seen), kept);
    const user = { name: 'jane', groups: ['cleaners'] };
    expect(server.respond({ method: 'DELETE', path: `${path}/kept`, user }).status).toBe(422);
    expect(request(server).status).toBe(200);
  });
});

it('a binding may narrow down whose removals count', () => {
  const only = aBinding({ matchResources: { objectSelector: { matchLabels: { a: 'b' } } } });
  const server = under(onRemoval('false'), only);
  server.cluster.create('configmaps', kept);
  expect(request(server).status).toBe(200);
});
