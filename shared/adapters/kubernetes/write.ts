import type { JsonPatchOperation, Key, Resource, WriteOutcome } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { addressOf, collectionOf } from './address.ts';
import {
  askAndRead,
  asksToTryLater,
  couldNotLook,
  isSuccess,
  objectNamed,
  type ReadAnswer,
  refusalOf,
  reviewIn,
} from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';
import { isObjectAbsent } from './status.ts';

/** All that the API says when an operation of a JSON patch, such as a `test`, does not fit the object. */
const patchDoesNotApply = 'the server rejected our request due to an error in our request';

interface Target {
  resource: Resource;
  key: Key;
  subresource?: 'status';
}

interface Asked {
  request: ApiRequest;
  answer: ReadAnswer;
}

export function mergePatch(transport: Transport, target: Target, patch: object): Promise<WriteOutcome> {
  return write(transport, target, patchRequest(target, patch, 'application/merge-patch+json'));
}

export function jsonPatch(
  transport: Transport,
  target: Target,
  operations: JsonPatchOperation[],
): Promise<WriteOutcome> {
  return write(transport, target, patchRequest(target, operations, 'application/json-patch+json'));
}

/** `conflict`: an object of that name exists already. */
export function create(transport: Transport, resource: Resource, object: KubeObject): Promise<WriteOutcome> {
  const { name, namespace } = object.metadata;
  const address = collectionOf(resource, namespace);
  const request: ApiRequest = { method: 'POST', verb: 'create', address, body: object };
  return write(transport, { resource, key: { name } }, request);
}

function patchRequest(target: Target, body: object, contentType: string): ApiRequest {
  const address = addressOf(target.resource, target.key, target.subresource);
  return { method: 'PATCH', verb: 'patch', address, body, contentType };
}

async function write(transport: Transport, target: Target, request: ApiRequest): Promise<WriteOutcome> {
  const answer = await askAndRead(transport, request);
  if (!isSuccess(answer) && !asksToTryLater(answer)) return unwritten(transport, target, { request, answer });
  const { name } = target.key;
  const object = name === '' ? reviewIn(answer.body) : objectNamed(answer.body, name);
  if (!isSuccess(answer) || object === undefined) throw couldNotLook(transport, request, answer);
  return { kind: 'written', object };
}

function unwritten(transport: Transport, target: Target, asked: Asked): WriteOutcome {
  const { request, answer } = asked;
  const message = answer.status?.message ?? answer.text;
  if (answer.code === 409) return { kind: 'conflict', message };
  if (answer.code === 422 && message === patchDoesNotApply) return { kind: 'conflict', message };
  if (answer.code !== 404) return refusalOf(answer);
  if (request.method === 'POST') {
    // The API answers for a missing namespace in place of the object: a refusal, since nothing is "gone".
    if (answer.status?.details?.kind === 'namespaces') return refusalOf(answer);
  } else if (isObjectAbsent(answer.status, target.resource, target.key)) {
    return { kind: 'gone' };
  }
  throw couldNotLook(transport, request, answer);
}
