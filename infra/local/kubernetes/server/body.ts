import { parse as parseYaml } from 'yaml';
import { apiVersionOf, type Resource, type Target } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { kubeObject } from '../objects/kube-object.ts';
import {
  badRequest,
  failure,
  invalid,
  invalidValue,
  refuseOtherNamespace,
  unhandled,
} from '../objects/status.ts';
import { isObject, type JsonObject, objectOf, textAt } from './json.ts';
import type { ApiRequest } from './request.ts';

/** The body as JSON. Throws ApiError 400, or 415 if the Content-Type is not JSON. */
export function jsonBody(request: ApiRequest): unknown {
  const type = mediaType(request);
  if (type === 'application/yaml') return parseYaml(request.body ?? '');
  if (type !== '' && type !== 'application/json')
    throw unsupportedMedia(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
  return parse(request.body ?? '');
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized (must be of type Object): couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

export function mediaType(request: ApiRequest): string {
  return (request.headers?.['content-type'] ?? '').split(';')[0]?.trim() ?? '';
}

export function unsupportedMedia(accepted: readonly string[]): Error {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** The object of a POST or PUT, in the storage version. Throws ApiError when it is of another kind or version. */
export function objectIn(target: Target, body: unknown): KubeObject {
  if (!isObject(body)) throw badRequest('the object provided is unrecognized (must be of type Object)');
  const object = withMetadata(target, body);
  const { resource, version } = target;
  const why = malformedMetadata(object) ?? resource.rules.malformation?.(object);
  if (why) throw unhandled(resource.kind, version, resource.kind, why);
  return toStored(target, object);
}

function withMetadata({ resource, version }: Target, body: JsonObject): KubeObject {
  refuseWrongKind(resource, version, body);
  const given = Object.entries(objectOf(body.metadata)).filter(([, value]) => value !== null);
  return kubeObject({ ...body, metadata: Object.fromEntries(given) });
}

function refuseWrongKind(resource: Resource, version: string, body: JsonObject): void {
  const apiVersion = apiVersionOf(resource.group, version);
  const stated = { apiVersion: textAt(body, 'apiVersion'), kind: textAt(body, 'kind') };
  if (resource.isCustom) return refuseWrongCustomKind(resource, apiVersion, stated);
  if (stated.kind !== '' && stated.kind !== resource.kind) {
    const from = `${stated.apiVersion.replace(/^.*\//, '')}.${stated.kind}`;
    const to = `${resource.group === '' ? 'core' : resource.group.split('.')[0]}.${resource.kind}`;
    const why = `converting (${from}) to (${to}): unknown conversion`;
    throw unhandled(stated.kind, stated.apiVersion, resource.kind, why);
  }
  if (stated.apiVersion !== '' && stated.apiVersion !== apiVersion) {
    const scheme = 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';
    const why = `no kind "${resource.kind}" is registered for version "${stated.apiVersion}" ${scheme}`;
    throw unhandled(resource.kind, stated.apiVersion, resource.kind, why);
  }
}

function refuseWrongCustomKind(
  resource: Resource,
  apiVersion: string,
  stated: { apiVersion: string; kind: string },
): void {
  if (stated.kind === '') throw badRequest(`Object 'Kind' is missing in '{}'`);
  if (stated.apiVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${stated.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (stated.kind === resource.kind) return;
  throw invalid(resource.group, resource.kind, '', [
    invalidValue('kind', stated.kind, `must be ${resource.kind}`),
  ]);
}

function malformedMetadata({ metadata }: KubeObject): string | undefined {
  for (const field of ['labels', 'annotations'] as const) {
    const wrong = Object.values(objectOf(metadata[field])).find(
      (value) => typeof value !== 'string' && value !== null,
    );
    if (wrong !== undefined)
      return `json: cannot unmarshal ${typeof wrong} into Go struct field ObjectMeta.${field} of type string`;
  }
  return undefined;
}

/** Throws ApiError 400 when the object is not the one that the URL names. */
export function refuseOtherName(target: Target, { metadata }: KubeObject): void {
  const { name, namespace } = metadata;
  if (!name)
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  if (name !== target.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  refuseOtherNamespace(namespace, target.namespace);
}

/** The object as it is stored: kind and apiVersion first, in the storage version. */
export function toStored({ resource }: Target, object: KubeObject): KubeObject {
  const {
    kind: _kind,
    apiVersion: _apiVersion,
    ...rest
  } = resource.shownAs ? resource.shownAs.fromWire(object) : object;
  const apiVersion = apiVersionOf(resource.shownAs ? '' : resource.group, resource.storageVersion);
  return { kind: resource.kind, apiVersion, ...rest };
}
