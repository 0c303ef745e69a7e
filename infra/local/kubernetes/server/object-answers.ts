import type { Target, WriteOptions } from '../discovery/resource.ts';
import { existing, mustExist } from '../objects/api.ts';
import { removeOptions } from '../objects/remove-options.ts';
import { answerScale } from '../objects/scale.ts';
import {
  badRequest,
  detailsOf,
  failure,
  methodNotAllowed,
  notFound,
  qualified,
  unknownPath,
} from '../objects/status.ts';
import { create } from '../verbs/create.ts';
import { list } from '../verbs/list.ts';
import { refuseFuture } from '../verbs/list-options.ts';
import { type Patched, patch } from '../verbs/patch.ts';
import { remove } from '../verbs/remove.ts';
import { update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';
import { jsonBody, mediaType, objectIn, refuseOtherName } from './body.ts';
import { askedBy, type Exchange, optionsOf } from './exchange.ts';
import { type ApiResponse, isWatch, ok } from './request.ts';
import { answerBinding, answerEviction, answerLog, finalizedNamespace } from './subresources.ts';

/** Reads, changes or removes one object or a subresource of it. Throws ApiError. */
export function answerObject(exchange: Exchange): ApiResponse {
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
      return ok(shown.object(mustExist(api, target)));
    case 'PUT':
      return written(exchange, replace(exchange, options));
    case 'PATCH':
      return written(exchange, patch(api, target, mediaType(request), { body: request.body ?? '', options }));
    default:
      throw unsupportedVerb(target, request.method);
  }
}

function unsupportedVerb({ resource }: Target, method: string): Error {
  const verb = method === 'POST' ? 'create' : method.toLowerCase();
  if (!resource.isCustom) return methodNotAllowed();
  const message = `${verb} is not supported on resources of kind "${qualified(resource.plural, resource.group)}"`;
  return failure(405, 'MethodNotAllowed', message, detailsOf('', resource.group, resource.plural));
}

const written = ({ shown }: Exchange, { object, isNew }: Patched): ApiResponse =>
  ok(shown.object(object), isNew ? 201 : 200);

function replace({ api, target, request }: Exchange, options: WriteOptions): Patched {
  const object = objectIn(target, jsonBody(request));
  refuseOtherName(target, object);
  if (target.resource.rules.createsOnUpdate && existing(api, target) === undefined) {
    const { resourceVersion: _none, ...metadata } = object.metadata;
    return { object: create(api, target, { ...object, metadata }, options), isNew: true };
  }
  mustExist(api, target);
  return { object: update(api, target, object, { ...options, isReplacement: true }), isNew: false };
}

function removeOne(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const { resource } = target;
  const { object, isGone } = remove(api, target, removeOptions(request), askedBy(exchange));
  if (!isGone || resource.rules.answersObject) return ok(shown.object(object));
  const details = detailsOf(object.metadata.name, resource.group, resource.plural, {
    uid: object.metadata.uid,
  });
  return ok(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }));
}

/** Lists, watches, adds to or empties a collection. Throws ApiError. */
export function answerCollection(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const query = request.query ?? {};
  switch (request.method) {
    case 'GET':
      return isWatch(request) ? openWatch(exchange, query) : ok(shown.list(list(api, target, query)));
    case 'POST': {
      const object = create(api, target, objectIn(target, jsonBody(request)), optionsOf(exchange));
      return ok(shown.object(object), 201);
    }
    case 'DELETE':
      return removeAll(exchange);
    default:
      throw target.resource.isCustom ? badRequest('the server rejected our request') : methodNotAllowed();
  }
}

function openWatch({ api, target, shown }: Exchange, query: Readonly<Record<string, string>>): ApiResponse {
  const stream = watch(api, { target, query, encode: (object) => shown.event(object) });
  return { ...ok(''), stream };
}

/** The old path for a watch of one object, which is a watch of the collection for its name. */
export function answerOldWatch(exchange: Exchange): ApiResponse {
  const { request, target } = exchange;
  return openWatch(exchange, { ...request.query, fieldSelector: `metadata.name=${target.name}` });
}

function removeAll(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  if (target.resource.kind === 'Namespace') throw methodNotAllowed();
  const page = list(api, target, request.query ?? {});
  const options = removeOptions(request);
  for (const { metadata } of page.objects) {
    const one = { ...target, namespace: metadata.namespace, name: metadata.name };
    remove(api, one, options, askedBy(exchange));
  }
  return ok(shown.list(page));
}
