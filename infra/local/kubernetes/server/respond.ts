import { stringify } from 'yaml';
import { discoveryAnswer } from '../discovery/discovery.ts';
import type { Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import { ApiError } from '../objects/cluster.ts';
import { failure, methodNotAllowed, unknownPath } from '../objects/status.ts';
import { parse } from './body.ts';
import type { Exchange } from './exchange.ts';
import { isObject, numberAt, objectOf } from './json.ts';
import { answerCollection, answerObject, answerOldWatch } from './object-answers.ts';
import { prefersYaml, presentationFor } from './presentation.ts';
import { type ApiRequest, type ApiResponse, isOldWatch, ok, pageNotFound, targetOf } from './request.ts';

/** Answers one request. Refusals are answers too; only a defect of ours is thrown. */
export function respond(api: Api, request: ApiRequest): ApiResponse {
  const target = targetOf(api.registry, request.path);
  const deprecation = target?.resource.versions.find(({ name }) => name === target.version)?.warning;
  const warnings = deprecation === undefined ? [] : [deprecation];
  const answered = orRefusal(() => answer(api, target, request, (text) => void warnings.push(text)));
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

/** The answer to an unknown user. */
export function unauthorized(): ApiResponse {
  return refusal(failure(401, 'Unauthorized', 'Unauthorized'));
}

function answer(
  api: Api,
  target: Target | undefined,
  request: ApiRequest,
  warn: Exchange['warn'],
): ApiResponse {
  if (!target) return answerReview(request) ?? discoveryAnswer(api, request);
  const shown = presentationFor(api, target, request.headers?.accept, request.query?.includeObject);
  const exchange = { api, target, request, shown, warn };
  if (lacksNamespace(target, request)) return unserved(target);
  if (target.name !== '' && isOldWatch(request)) return answerOldWatch(exchange);
  return target.name === '' ? answerCollection(exchange) : answerObject(exchange);
}

/** The answer, or the refusal that is thrown in its place; a defect of ours is thrown on. */
export function orRefusal(answerOf: () => ApiResponse): ApiResponse {
  try {
    return answerOf();
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

/** Without a namespace there are only lists and watches of namespaced objects. */
function lacksNamespace({ resource, namespace, name }: Target, { method }: ApiRequest): boolean {
  return resource.namespaced && namespace === undefined && (name !== '' || method !== 'GET');
}

/** Custom resources do not serve such a path, built-in kinds say what is wrong with it. */
function unserved({ resource, name }: Target): ApiResponse {
  if (!resource.isCustom) throw name === '' ? methodNotAllowed() : unknownPath();
  return pageNotFound();
}

function refusal({ code, body }: ApiError): ApiResponse {
  const seconds = numberAt(body, 'details', 'retryAfterSeconds');
  const answered = ok(JSON.stringify(body), code);
  if (seconds === undefined) return answered;
  return { ...answered, headers: { ...answered.headers, 'retry-after': String(seconds) } };
}

const group = '/apis/authorization.k8s.io/v1/';
const ownReview = 'selfsubjectaccessreviews';
const otherReviews = ['subjectaccessreviews', 'localsubjectaccessreviews'];

/** Allows a SelfSubjectAccessReview and denies reviews of other users. Undefined for any other request. */
function answerReview({ method, path, body }: ApiRequest): ApiResponse | undefined {
  if (method !== 'POST' || !path.startsWith(group)) return undefined;
  const kind = path.split('/').at(-1) ?? '';
  if (kind !== ownReview && !otherReviews.includes(kind)) return undefined;
  const review = parse(body ?? '');
  const given = isObject(review) ? review : {};
  const reviewed = { ...given, metadata: objectOf(given.metadata), status: { allowed: kind === ownReview } };
  return ok(JSON.stringify(reviewed), 201);
}
