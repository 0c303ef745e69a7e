import { classifyRefusal } from '../../drain/eviction-answer.ts';
import type {
  DeleteOutcome,
  Eviction,
  EvictionAnswer,
  Key,
  Resource,
  WriteOutcome,
} from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { pods } from '../../kubernetes/resources.ts';
import {
  askAndRead,
  asksToTryLater,
  couldNotLook,
  isObjectAbsent,
  isSuccess,
  objectNamed,
  type ReadAnswer,
  refusalOf,
  reviewIn,
} from './read-response.ts';
import { type ApiRequest, addressOf, collectionOf, type Transport } from './request.ts';

/** The API's whole answer when an operation of a JSON patch, such as a `test`, does not fit the object. */
const patchDoesNotApply = 'the server rejected our request due to an error in our request';

interface Target {
  resource: Resource;
  key: Key;
  subresource?: 'status' | undefined;
}

export function patch(
  transport: Transport,
  target: Target,
  body: object,
  contentType: 'application/merge-patch+json' | 'application/json-patch+json',
): Promise<WriteOutcome> {
  const address = addressOf(target.resource, target.key, target.subresource);
  return write(transport, target, { method: 'PATCH', verb: 'patch', address, body, contentType });
}

/** `conflict`: an object of that name exists already. */
export function create(transport: Transport, resource: Resource, object: KubeObject): Promise<WriteOutcome> {
  const { name, namespace } = object.metadata;
  const address = collectionOf(resource, namespace);
  const request: ApiRequest = { method: 'POST', verb: 'create', address, body: object };
  return write(transport, { resource, key: { name } }, request);
}

async function write(transport: Transport, target: Target, request: ApiRequest): Promise<WriteOutcome> {
  const answer = await askAndRead(transport, request);
  if (!isSuccess(answer) && !asksToTryLater(answer)) return unwritten(transport, target, request, answer);
  const { name } = target.key;
  const object = name === '' ? reviewIn(answer.body) : objectNamed(answer.body, name);
  if (!isSuccess(answer) || object === undefined) throw couldNotLook(transport, request, answer);
  return { kind: 'written', object };
}

function unwritten(
  transport: Transport,
  { resource, key }: Target,
  request: ApiRequest,
  answer: ReadAnswer,
): WriteOutcome {
  const message = answer.status?.message ?? answer.text;
  if (answer.code === 409) return { kind: 'conflict', message };
  if (answer.code === 422 && message === patchDoesNotApply) return { kind: 'conflict', message };
  if (answer.code !== 404) return refusalOf(answer);
  if (request.method === 'POST') {
    // The API answers for a missing namespace in place of the object: a refusal, since nothing is "gone".
    if (answer.status?.details?.kind === 'namespaces') return refusalOf(answer);
  } else if (isObjectAbsent(answer, resource, key)) {
    return { kind: 'gone' };
  }
  throw couldNotLook(transport, request, answer);
}

interface DeleteOptions {
  uid: string;
  /** What becomes of the objects that it owns. Without this the kind decides. */
  propagationPolicy?: 'Background';
}

/** Deletes the object only while it has this UID. A lost answer throws: the object may be deleted or not. */
export async function deleteObject(
  transport: Transport,
  resource: Resource,
  key: Key,
  { uid, ...options }: DeleteOptions,
): Promise<DeleteOutcome> {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid }, ...options };
  const request: ApiRequest = { method: 'DELETE', verb: 'delete', address: addressOf(resource, key), body };
  const answer = await askAndRead(transport, request);

  if (isSuccess(answer)) {
    if (answer.status?.status === 'Success') return { kind: 'gone' };
    const object = objectNamed(answer.body, key.name);
    if (object !== undefined) return { kind: 'deleting', object };
  }
  if (isObjectAbsent(answer, resource, key)) return { kind: 'gone' };
  if (answer.code === 409 && namesUidPrecondition(answer)) return { kind: 'replaced' };
  if (isSuccess(answer) || asksToTryLater(answer) || [404, 409].includes(answer.code)) {
    throw couldNotLook(transport, request, answer);
  }
  return refusalOf(answer);
}

/** Other conflicts (a write in between) carry the same code and reason; only the message tells them apart. */
function namesUidPrecondition({ status }: ReadAnswer): boolean {
  return /\bUID in (the )?precondition/i.test(status?.message ?? '');
}

/** An eviction with another Pod's UID is answered only after the server has tried for about as long as this. */
const evictionMilliseconds = 10_000;

/**
 * Asks the API to evict the Pod with this UID and no other. Never throws: an eviction that could not be asked is
 * an answer for that Pod, and the others go on.
 */
export async function evict(transport: Transport, eviction: Eviction): Promise<EvictionAnswer> {
  const { name, namespace, uid } = eviction.pod.metadata;
  if (uid === undefined || namespace === undefined)
    return failed(new Unavailable('the Pod has no UID or namespace'));
  const request = evictionRequest(eviction, { name, namespace }, uid);
  try {
    const answer = await askAndRead(transport, request);
    if (answer.status?.status === 'Success') return { kind: 'accepted' };
    // A 404 that is not about the Pod (no such API, a proxy's page) does not make it gone.
    if (isSuccess(answer) || (answer.code === 404 && !isObjectAbsent(answer, pods, { name, namespace }))) {
      return failed(couldNotLook(transport, request, answer));
    }
    return classifyRefusal(answer.code, answer.body, answer.retryAfter);
  } catch (error) {
    if (error instanceof Unavailable) return failed(error);
    throw error;
  }
}

function evictionRequest(
  eviction: Eviction,
  key: { name: string; namespace: string },
  uid: string,
): ApiRequest {
  const { gracePeriodSeconds } = eviction;
  const deleteOptions = {
    preconditions: { uid },
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
  return {
    method: 'POST',
    verb: 'create',
    address: addressOf(pods, key, 'eviction'),
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key, deleteOptions },
    timeoutMilliseconds: evictionMilliseconds,
    lane: 'evictions',
  };
}

const failed = ({ message: detail, statusText: text }: Unavailable): EvictionAnswer => ({
  kind: 'refused',
  cause: 'Failed',
  text,
  ...(detail !== text && { detail }),
});
