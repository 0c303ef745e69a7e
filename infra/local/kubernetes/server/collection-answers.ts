import { removeOptions } from '../objects/remove-options.ts';
import { badRequest, methodNotAllowed } from '../objects/status.ts';
import { create } from '../verbs/create.ts';
import { list } from '../verbs/list.ts';
import { remove } from '../verbs/remove.ts';
import { watch } from '../verbs/watch.ts';
import { jsonBody, objectIn } from './body.ts';
import { askedBy, type Exchange, ok, optionsOf } from './exchange.ts';
import { type ApiResponse, isWatch } from './request.ts';

/** Lists, watches, adds to or empties a collection. Throws ApiError. */
export function answerCollection(exchange: Exchange): ApiResponse {
  const { api, target, request, shown } = exchange;
  const query = request.query ?? {};
  switch (request.method) {
    case 'GET':
      return isWatch(request) ? openWatch(exchange, query) : ok(shown.list(list(api, target, query)));
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
