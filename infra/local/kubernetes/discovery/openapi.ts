import type { Api } from '../objects/api.ts';
import { type ApiRequest, type ApiResponse, ok, plainText } from '../server/request.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import { hashOf } from './served.ts';

/**
 * What kubectl asks of OpenAPI. Before it writes: which documents there are, and whether a kind validates its fields.
 * To explain a kind: what its fields are for.
 */
export function openApiAnswer(api: Api, { path, headers }: ApiRequest): ApiResponse | undefined {
  if (path === '/openapi/v2') return oldDocument(headers?.accept ?? '');
  if (path === '/openapi/v3' || path === '/openapi/v3/') return plainText(index(api));
  const found = /^\/openapi\/v3\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
  if (!found) return undefined;
  const body = document(api, found[1] ?? '', found[2] ?? '');
  return body === undefined ? undefined : ok(body);
}

/** Of a kind that is not served kubectl looks into this one, as protobuf alone, before it says so. */
function oldDocument(accept: string): ApiResponse {
  if (accept.includes(oldProtobuf.asked))
    return { status: 200, headers: { 'content-type': oldProtobuf.answered }, body: oldProtobuf.body };
  const body = {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'local' },
    paths: {},
    definitions: {},
  };
  return ok(JSON.stringify(body));
}

/** The body is the version and the info of the same document. All of it is ASCII, so it is a text. */
const oldProtobuf = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  body: '\n\x032.0\x12\x13\n\nKubernetes\x12\x05local',
};

function index(api: Api): string {
  const documents = new Map(['api', 'apis', 'version'].map((name) => [name, name]));
  for (const { group, versions } of api.registry.all())
    for (const { name } of versions) documents.set(rootOf(group, name), document(api, group, name) ?? '');
  return JSON.stringify({ paths: Object.fromEntries([...documents].map(entry)) });
}

/** kubectl keeps a document until its hash is another one. */
function entry([name, text]: [name: string, text: string]): [string, object] {
  return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(text)}` }];
}

function rootOf(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${apiVersionOf(group, version)}`;
}

function document({ registry }: Api, group: string, version: string): string | undefined {
  const resources = registry.inGroupVersion(group, version);
  if (resources.length === 0) return undefined;
  const paths = Object.fromEntries(
    resources.map((resource) => [pathOf(resource, version), patchable(resource, version)]),
  );
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'local' },
    paths,
    components: {
      schemas: Object.fromEntries(resources.flatMap((resource) => schemaEntries(resource, version))),
    },
  });
}

/** What `kubectl explain` tells of a kind, named as the API server names it: by its group turned round. */
function schemaEntries({ group, kind, versions }: Resource, version: string): [string, object][] {
  const schema = versions.find(({ name }) => name === version)?.schema;
  if (schema === undefined) return [];
  const name = [...group.split('.').toReversed(), version, kind].join('.');
  return [[name, { ...schema, 'x-kubernetes-group-version-kind': [{ group, version, kind }] }]];
}

function pathOf({ group, plural, namespaced }: Resource, version: string): string {
  return `/${rootOf(group, version)}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}/{name}`;
}

function patchable({ group, kind }: Resource, version: string) {
  const parameters = [
    { name: 'fieldValidation', in: 'query', schema: { type: 'string', uniqueItems: true } },
  ];
  const about = {
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
  return { patch: { parameters, responses: { 200: { description: 'OK' } }, ...about } };
}
