import { createHash } from 'node:crypto';
import type { Api } from './api.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { apiVersionOf, type Resource } from './resource.ts';

const plain = { 'content-type': 'text/plain; charset=utf-8' };
const json = { 'content-type': 'application/json' };

/** What kubectl asks of OpenAPI before it writes: which documents there are, and whether a kind validates fields. */
export function openApiAnswer(api: Api, { path, headers }: ApiRequest): ApiResponse | undefined {
  if (path === '/openapi/v2') return oldDocument(headers?.accept ?? '');
  if (path === '/openapi/v3' || path === '/openapi/v3/')
    return { status: 200, headers: { ...plain }, body: index(api) };
  const found = /^\/openapi\/v3\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
  if (!found) return undefined;
  const resources = api.registry.inGroupVersion(found[1] ?? '', found[2] ?? '');
  return resources.length === 0
    ? undefined
    : { status: 200, headers: { ...json }, body: document(resources, found[2] ?? '') };
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
  return { status: 200, headers: { ...json }, body: JSON.stringify(body) };
}

/** The body is the version and the info of the same document: nothing in it is beyond ASCII, so that it is a text. */
const oldProtobuf = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  body: '\n\x032.0\x12\x13\n\nKubernetes\x12\x05local',
};

function index(api: Api): string {
  const versions = api.registry
    .all()
    .flatMap(({ group, versions: served }) => served.map(({ name }) => rootOf(group, name)));
  const documents = ['api', 'apis', 'version', ...new Set(versions)];
  return JSON.stringify({ paths: Object.fromEntries(documents.map(entry)) });
}

function entry(name: string): [string, object] {
  return [name, { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(name)}` }];
}

function rootOf(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${apiVersionOf(group, version)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}

function document(resources: readonly Resource[], version: string): string {
  const paths = Object.fromEntries(
    resources.map((resource) => [pathOf(resource, version), patchable(resource, version)]),
  );
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'local' },
    paths,
    components: { schemas: {} },
  });
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
