import { stringify } from 'yaml';
import { type Api, existing, type Target, type WriteOptions } from './api.ts';
import { jsonBody, mediaType, objectIn, refuseOtherName } from './body.ts';
import { ApiError, type KubeObject } from './cluster.ts';
import { discoveryAnswer } from './discovery.ts';
import { numberAt } from './json.ts';
import { prefersYaml, type Presentation, presentationFor } from './presentation.ts';
import { removeOptions } from './remove-options.ts';
import { type ApiRequest, type ApiResponse, isDryRun, isOldWatch, isWatch, targetOf } from './request.ts';
import { answerReview } from './reviews.ts';
import { answerScale } from './scale.ts';
import {
  badRequest,
  detailsOf,
  failure,
  invalid,
  methodNotAllowed,
  notFound,
  qualified,
  unknownPath,
  unsupported,
} from './status.ts';
import { answerBinding, answerEviction, answerLog, finalizedNamespace } from './subresources.ts';
import { create } from './verbs/create.ts';
import { list } from './verbs/list.ts';
import { refuseFuture } from './verbs/list-options.ts';
import { patch } from './verbs/patch.ts';
import { remove } from './verbs/remove.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

const json = { 'content-type': 'application/json' };

/** One request about a resource, on its way to an answer. */
interface Exchange {
  readonly api: Api;
  readonly target: Target;
  readonly request: ApiRequest;
  readonly shown: Presentation;
  readonly warn: (text: string) => void;
}

/** Answers one request. Refusals are answers too; only a defect of ours is thrown. */
export function respond(api: Api, request: ApiRequest): ApiResponse {
  const target = targetOf(api.registry, request.path);
  const deprecation = target?.resource.versions.find(({ name }) => name === target.version)?.warning;
  const warnings = deprecation === undefined ? [] : [deprecation];
  const answered = answer(api, target, request, (text) => void warnings.push(text));
  const response = prefersYaml(request.headers?.accept) ? asYaml(answered) : answered;
  if (warnings.length === 0) return response;
  const warning = warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  return { ...response, headers: { ...response.headers, warning } };
}

function asYaml(response: ApiResponse): ApiResponse {
  if (response.stream || response.headers['content-type'] !== 'application/json') return response;
  const headers = { ...response.headers, 'content-type': 'application/yaml' };
  return { ...response, headers, body: stringify(JSON.parse(response.body)) };
}

/** The answer to somebody who is not known. */
export function unauthorized(): ApiResponse {
  return refusal(failure(401, 'Unauthorized', 'Unauthorized'));
}

function answer(
  api: Api,
  target: Target | undefined,
  request: ApiRequest,
  warn: Exchange['warn'],
): ApiResponse {
  try {
    if (!target) return answerReview(request) ?? discoveryAnswer(api, request);
    const shown = presentationFor(api, target, request.headers?.accept, request.query?.includeObject);
    const exchange = { api, target, request, shown, warn };
    if (target.name !== '' && target.resource.namespaced && target.namespace === undefined)
      return pageNotFound(target, unknownPath());
    if (target.name !== '' && isOldWatch(request)) return answerOldWatch(exchange);
    return target.name === '' ? answerCollection(exchange) : answerObject(exchange);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

/** Paths without a namespace where one is needed: custom resources do not serve them, built-in kinds say why. */
function pageNotFound({ resource }: Target, otherwise: Error): ApiResponse {
  if (!resource.isCustom) throw otherwise;
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '404 page not found\n',
  };
}

function refusal({ code, body }: ApiError): ApiResponse {
  const seconds = numberAt(body, 'details', 'retryAfterSeconds');
  const headers = seconds === undefined ? { ...json } : { ...json, 'retry-after': String(seconds) };
  return { status: code, headers, body: JSON.stringify(body) };
}

function answerCollection(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const query = request.query ?? {};
  const isOfAll = target.resource.namespaced && target.namespace === undefined;
  if (isOfAll && request.method !== 'GET') return pageNotFound(target, methodNotAllowed());
  switch (request.method) {
    case 'GET': {
      if (!isWatch(request)) return ok(shown.list(list(api, target, query)));
      const stream = watch(api, { target, query, encode: (object) => shown.event(object) });
      return { status: 200, headers: { ...json }, body: '', stream };
    }
    case 'POST': {
      const object = create(api, target, objectIn(target, jsonBody(request)), optionsOf(exchange));
      return { ...ok(shown.object(object)), status: 201 };
    }
    case 'DELETE':
      return removeAll(exchange);
    default:
      throw target.resource.isCustom ? badRequest('the server rejected our request') : methodNotAllowed();
  }
}

/** The old path for a watch of one object, which is a watch of the collection for its name. */
function answerOldWatch({ api, target, request, shown }: Exchange): ApiResponse {
  const query = { ...request.query, fieldSelector: `metadata.name=${target.name}` };
  const stream = watch(api, { target, query, encode: (object) => shown.event(object) });
  return { status: 200, headers: { ...json }, body: '', stream };
}

function answerObject(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const { resource, subresource } = target;
  if (subresource !== '' && !resource.subresources.includes(subresource)) throw unserved(target);
  if (request.method === 'POST' && subresource === '' && resource.isCustom)
    throw badRequest('the server rejected our request');
  if (subresource === 'log') return answerLog(api, target);
  if (subresource === 'eviction') return answerEviction(api, target, request);
  if (subresource === 'binding') return answerBinding(api, target, request);
  if (subresource === 'scale') return answerScale(api, target, request);
  if (subresource === 'finalize') return ok(shown.object(finalizedNamespace(api, target, request)));
  if (request.method === 'DELETE' && subresource === '') return removeOne(exchange);
  return readOrWrite(exchange);
}

function unserved({ resource, name }: Target): Error {
  return resource.isCustom ? notFound(resource, name) : unknownPath();
}

function readOrWrite(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const options = optionsOf(exchange);
  switch (request.method) {
    case 'GET':
      refuseFuture(api, request.query?.resourceVersion);
      return ok(shown.object(found(api, target)));
    case 'PUT':
      return ok(shown.object(replace(exchange, options)));
    case 'PATCH': {
      const { object, isNew } = patch(api, target, mediaType(request), { body: request.body ?? '', options });
      return { ...ok(shown.object(object)), status: isNew ? 201 : 200 };
    }
    default:
      throw unsupportedVerb(target, request.method);
  }
}

function found(api: Api, target: Target): KubeObject {
  const object = existing(api, target);
  if (!object) throw notFound(target.resource, target.name);
  return object;
}

function unsupportedVerb({ resource }: Target, method: string): Error {
  const verb = method === 'POST' ? 'create' : method.toLowerCase();
  if (!resource.isCustom) return methodNotAllowed();
  const message = `${verb} is not supported on resources of kind "${qualified(resource.plural, resource.group)}"`;
  return failure(405, 'MethodNotAllowed', message, detailsOf('', resource.group, resource.plural));
}

function replace({ api, target, request }: Exchange, options: WriteOptions): KubeObject {
  const object = objectIn(target, jsonBody(request));
  refuseOtherName(target, object);
  found(api, target);
  return update(api, target, object, { ...options, isReplacement: true });
}

function removeOne({ api, target, request, shown }: Exchange): ApiResponse {
  const { resource } = target;
  const { object, isGone } = remove(api, target, removeOptions(request));
  if (!isGone || resource.rules.answersObject) return ok(shown.object(object));
  const details = detailsOf(object.metadata.name, resource.group, resource.plural, {
    uid: object.metadata.uid,
  });
  return ok(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }));
}

function removeAll({ api, target, request, shown }: Exchange): ApiResponse {
  if (target.resource.kind === 'Namespace') throw methodNotAllowed();
  const page = list(api, target, request.query ?? {});
  const options = removeOptions(request);
  for (const { metadata } of page.objects) {
    remove(api, { ...target, namespace: metadata.namespace, name: metadata.name }, options);
  }
  return ok(shown.list(page));
}

const validations = ['Ignore', 'Strict', 'Warn'];

function optionsOf({ request, warn }: Exchange): WriteOptions {
  const fieldValidation = request.query?.fieldValidation;
  if (fieldValidation && !validations.includes(fieldValidation)) {
    throw invalid('meta.k8s.io', 'CreateOptions', '', [
      unsupported('fieldValidation', fieldValidation, validations),
    ]);
  }
  return { dryRun: isDryRun(request), warn, ...(fieldValidation !== undefined && { fieldValidation }) };
}

function ok(body: string): ApiResponse {
  return { status: 200, headers: { ...json }, body };
}
