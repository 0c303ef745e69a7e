import { type Api, existing, type Target } from './api.ts';
import { jsonBody, mediaType, objectIn } from './body.ts';
import { ApiError, type KubeObject } from './cluster.ts';
import { discoveryAnswer } from './discovery.ts';
import { at } from './json.ts';
import { type Presentation, presentationFor } from './presentation.ts';
import { removeOptions } from './remove-options.ts';
import { type ApiRequest, type ApiResponse, isDryRun, isWatch, targetOf } from './request.ts';
import { answerScale } from './scale.ts';
import { badRequest, detailsOf, methodNotAllowed, notFound, unknownPath } from './status.ts';
import { answerBinding, answerEviction, finalizedNamespace } from './subresources.ts';
import { create } from './verbs/create.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { remove } from './verbs/remove.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

const json = { 'content-type': 'application/json' };

/** Answers one request. Refusals are answers too; only a defect of ours is thrown. */
export function respond(api: Api, request: ApiRequest): ApiResponse {
  const target = targetOf(api.registry, request.path);
  const warning = target?.resource.versions.find(({ name }) => name === target.version)?.warning;
  const response = answer(api, target, request);
  if (warning === undefined) return response;
  return { ...response, headers: { ...response.headers, warning: `299 - ${JSON.stringify(warning)}` } };
}

function answer(api: Api, target: Target | undefined, request: ApiRequest): ApiResponse {
  try {
    if (!target) return discoveryAnswer(api, request);
    const shown = presentationFor(api, target, request.headers?.accept, request.query?.includeObject);
    return target.name === ''
      ? answerCollection(api, target, request, shown)
      : answerObject(api, target, request, shown);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

function refusal({ code, body }: ApiError): ApiResponse {
  const seconds = at(body, 'details', 'retryAfterSeconds');
  const headers = seconds === undefined ? { ...json } : { ...json, 'retry-after': String(seconds) };
  return { status: code, headers, body: JSON.stringify(body) };
}

function answerCollection(api: Api, target: Target, request: ApiRequest, shown: Presentation): ApiResponse {
  const query = request.query ?? {};
  switch (request.method) {
    case 'GET': {
      if (!isWatch(request)) return ok(shown.list(list(api, target, query)));
      const stream = watch(api, { target, query, encode: shown.event });
      return { status: 200, headers: { ...json }, body: '', stream };
    }
    case 'POST': {
      const object = create(api, target, objectIn(target, jsonBody(request)), isDryRun(request));
      return { ...ok(shown.object(object)), status: 201 };
    }
    case 'DELETE':
      return removeAll(api, target, request, shown);
    default:
      throw methodNotAllowed();
  }
}

function answerObject(api: Api, target: Target, request: ApiRequest, shown: Presentation): ApiResponse {
  const { resource, subresource } = target;
  if (subresource !== '' && !resource.subresources.includes(subresource)) throw unknownPath();
  if (subresource === 'eviction') return answerEviction(api, target, request);
  if (subresource === 'binding') return answerBinding(api, target, request);
  if (subresource === 'scale') return answerScale(api, target, request);
  if (subresource === 'finalize') return ok(shown.object(finalizedNamespace(api, target, request)));
  if (request.method === 'DELETE' && subresource === '') return removeOne(api, target, request, shown);
  return ok(shown.object(readOrWrite(api, target, request)));
}

function readOrWrite(api: Api, target: Target, request: ApiRequest): KubeObject {
  if (request.method === 'PUT') return replace(api, target, request);
  if (request.method === 'PATCH') {
    return patch(api, target, mediaType(request), { body: request.body ?? '', dryRun: isDryRun(request) });
  }
  if (request.method !== 'GET') throw methodNotAllowed();
  const found = existing(api, target);
  if (!found) throw notFound(target.resource, target.name);
  return found;
}

function replace(api: Api, target: Target, request: ApiRequest): KubeObject {
  const object = objectIn(target, jsonBody(request));
  const { name, namespace } = object.metadata;
  if (!name)
    throw badRequest(
      `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
    );
  if (name !== target.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  if (namespace && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (!existing(api, target)) throw notFound(target.resource, target.name);
  return update(api, target, object, { isReplacement: true, dryRun: isDryRun(request) });
}

function removeOne(api: Api, target: Target, request: ApiRequest, shown: Presentation): ApiResponse {
  const { resource } = target;
  const { object, isGone } = remove(api, target, removeOptions(request));
  if (!isGone || resource.rules.answersObject) return ok(shown.object(object));
  const details = detailsOf(object.metadata.name, resource.group, resource.plural, {
    uid: object.metadata.uid,
  });
  return ok(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }));
}

function removeAll(api: Api, target: Target, request: ApiRequest, shown: Presentation): ApiResponse {
  const page = list(api, target, request.query ?? {});
  const options = removeOptions(request);
  for (const { metadata } of page.objects) {
    remove(api, { ...target, namespace: metadata.namespace, name: metadata.name }, options);
  }
  return ok(shown.list(page));
}

function ok(body: string): ApiResponse {
  return { status: 200, headers: { ...json }, body };
}
