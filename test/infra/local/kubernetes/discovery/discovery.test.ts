import { expect, it } from 'vitest';
import { clusterApiDefinitions, machines } from '../../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { machineDrainRules } from '../../../../../infra/local/kubernetes/crds/installed.ts';
import { createApiServer } from '../../../../../infra/local/kubernetes/server/api-server.ts';
import { VirtualClock } from '../../../../golden/kubernetes/virtual-clock.ts';

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

it('does not repeat what the client has already, until something new is served', () => {
  const server = createApiServer({ clock: new VirtualClock(0) });
  const ask = (headers: Record<string, string>) =>
    server.respond({ method: 'GET', path: '/apis', headers: { accept, ...headers } });
  const etag = ask({}).headers.etag!;
  expect(ask({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
  for (const definition of clusterApiDefinitions()) {
    server.cluster.create('customresourcedefinitions.apiextensions.k8s.io', definition);
  }
  expect(ask({ 'if-none-match': etag }).status).toBe(200);
});

it.each([
  ['/healthz', 200],
  ['/readyz', 200],
  ['/apis/nothing.example.com', 404],
  ['/apis/apps/v2', 404],
  ['/nothing', 404],
])('answers %s with %i', (path, status) => {
  const server = createApiServer({ clock: new VirtualClock(0) });
  expect(server.respond({ method: 'GET', path }).status).toBe(status);
});

it('tells kubectl that every kind validates its fields', () => {
  const server = createApiServer({ clock: new VirtualClock(0) });
  const { paths } = JSON.parse(server.respond({ method: 'GET', path: '/openapi/v3' }).body);
  const [path = ''] = String(paths['apis/apps/v1'].serverRelativeURL).split('?');
  const document = JSON.parse(server.respond({ method: 'GET', path }).body);
  expect(document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'].patch).toMatchObject({
    parameters: [{ name: 'fieldValidation', in: 'query' }],
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  });
});

it('tells kubectl what a field of a defined kind is for, by another document once that has changed', () => {
  const server = createApiServer({ clock: new VirtualClock(0) });
  const { cluster } = server;
  const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
  const documentOf = () => {
    const { paths } = JSON.parse(server.respond({ method: 'GET', path: '/openapi/v3' }).body);
    const url = String(paths['apis/cluster.x-k8s.io/v1beta2'].serverRelativeURL);
    const [path = ''] = url.split('?');
    return { url, ...JSON.parse(server.respond({ method: 'GET', path }).body) };
  };
  cluster.create(definitions, machines);
  const before = documentOf();
  cluster.create(definitions, machineDrainRules());
  const after = documentOf();
  expect(Object.keys(before.components.schemas)).toEqual(['io.x-k8s.cluster.v1beta2.Machine']);
  expect(after.components.schemas['io.x-k8s.cluster.v1beta2.MachineDrainRule']).toMatchObject({
    'x-kubernetes-group-version-kind': [
      { group: 'cluster.x-k8s.io', version: 'v1beta2', kind: 'MachineDrainRule' },
    ],
    properties: { spec: { properties: { drain: { description: 'What happens to the Pods.' } } } },
  });
  expect(after.url).not.toBe(before.url);
});

it('lets kubectl find out that a kind is not served', () => {
  const server = createApiServer({ clock: new VirtualClock(0) });
  const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const { headers, body } = server.respond({
    method: 'GET',
    path: '/openapi/v2',
    headers: { accept: asked },
  });
  expect(headers).toEqual({ 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' });
  const info = '0a0a' + hex('Kubernetes') + '1205' + hex('local');
  expect(hex(body)).toBe('0a03' + hex('2.0') + '1213' + info);
});

const hex = (text: string): string => Buffer.from(text).toString('hex');
