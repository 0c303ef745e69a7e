import { type Api, existing, type Target } from './api.ts';
import { jsonBody, mediaType, objectIn } from './body.ts';
import { ApiError, type KubeObject } from './cluster.ts';
import { discoveryAnswer } from './discovery.ts';
import { at, numberAt, objectOf, textAt } from './json.ts';
import { type ApiRequest, type ApiResponse, targetOf } from './request.ts';
import { badRequest, detailsOf, failure, methodNotAllowed, notFound } from './status.ts';
import { create } from './verbs/create.ts';
import { list, listBody } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { remove, type RemoveOptions } from './verbs/remove.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

const json = { 'content-type': 'application/json' };

/** Answers one request. Refusals are answers too; only a defect of ours is thrown. */
export function respond(api: Api, request: ApiRequest): ApiResponse {
  try {
    return answer(api, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.code, headers: { ...json }, body: JSON.stringify(error.body) };
  }
}

function answer(api: Api, request: ApiRequest): ApiResponse {
  const target = targetOf(api.registry, request.path);
  if (!target) return discoveryAnswer(api, request);
  if (target.name === '') return answerCollection(api, target, request);
  return answerObject(api, target, request);
}

function answerCollection(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const query = request.query ?? {};
  if (request.method === 'GET')
    return isWatch(query)
      ? openWatch(api, target, request)
      : ok(listBody(api, target, list(api, target, query)));
  if (request.method === 'POST') {
    const object = create(api, target, objectIn(target, jsonBody(request)), isDryRun(request));
    return { ...ok(api.wire.object(target.resource, target.version, object)), status: 201 };
  }
  if (request.method === 'DELETE') return removeAll(api, target, request);
  throw methodNotAllowed();
}

function openWatch(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const encode = (object: KubeObject) => api.wire.object(target.resource, target.version, object);
  const stream = watch(api, { target, query: request.query ?? {}, encode });
  return { status: 200, headers: { ...json }, body: '', stream };
}

function answerObject(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const write = (object: KubeObject) => ok(api.wire.object(target.resource, target.version, object));
  switch (request.method) {
    case 'GET': {
      const found = existing(api, target);
      if (!found) throw notFound(target.resource, target.name);
      return write(found);
    }
    case 'PUT':
      return write(replace(api, target, request));
    case 'PATCH':
      return write(
        patch(api, target, mediaType(request), { body: request.body ?? '', dryRun: isDryRun(request) }),
      );
    case 'DELETE':
      return removeOne(api, target, request);
    default:
      throw methodNotAllowed();
  }
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
  return update(api, target, object, isDryRun(request));
}

function removeOne(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const { resource, version } = target;
  const { object, isGone } = remove(api, target, removeOptions(request));
  if (!isGone || resource.rules.answersObject) return ok(api.wire.object(resource, version, object));
  const details = detailsOf(object.metadata.name, resource.group, resource.plural, {
    uid: object.metadata.uid,
  });
  return ok(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }));
}

function removeAll(api: Api, target: Target, request: ApiRequest): ApiResponse {
  const page = list(api, target, request.query ?? {});
  const options = removeOptions(request);
  for (const { metadata } of page.objects) {
    remove(api, { ...target, namespace: metadata.namespace, name: metadata.name }, options);
  }
  return ok(listBody(api, target, page));
}

/** A body, when there is one, is all that counts: the query is not read then. */
export function removeOptions(request: ApiRequest): RemoveOptions {
  if (request.body) return optionsIn(jsonBody(request));
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = request.query ?? {};
  return optionsIn({
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents: orphanDependents === 'true' }),
    ...(isDryRun(request) && { dryRun: ['All'] }),
  });
}

export function optionsIn(body: unknown): RemoveOptions {
  const seconds = numberAt(body, 'gracePeriodSeconds');
  const policy = textAt(body, 'propagationPolicy');
  const orphan = at(body, 'orphanDependents');
  const preconditions = at(body, 'preconditions');
  return {
    ...(seconds !== undefined && { gracePeriodSeconds: seconds }),
    ...((policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') && {
      propagationPolicy: policy,
    }),
    ...(typeof orphan === 'boolean' && { orphanDependents: orphan }),
    ...(preconditions !== undefined && { preconditions: objectOf(preconditions) }),
    ...(at(body, 'dryRun') !== undefined && { dryRun: true }),
  };
}

export function isDryRun(request: ApiRequest): boolean {
  const dryRun = request.query?.dryRun;
  if (dryRun !== undefined && dryRun !== '' && dryRun !== 'All')
    throw failure(400, 'BadRequest', `invalid dryRun: ${dryRun}`);
  return dryRun === 'All';
}

function isWatch(query: Readonly<Record<string, string>>): boolean {
  return query.watch === 'true' || query.watch === '1';
}

export function ok(body: string): ApiResponse {
  return { status: 200, headers: { ...json }, body };
}
