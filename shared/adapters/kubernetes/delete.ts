import type { DeleteOutcome, Key, Resource } from '../../kubernetes/client.ts';
import { addressOf } from './address.ts';
import {
  askAndRead,
  asksToTryLater,
  couldNotLook,
  isSuccess,
  objectNamed,
  type ReadAnswer,
  refusalOf,
} from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';
import { isObjectAbsent } from './status.ts';

export interface DeleteOptions {
  uid: string;
  /** What becomes of what the object owns; the kind decides where nothing is said. */
  propagationPolicy?: 'Background';
}

/** Deletes the object only while it has this UID; a lost answer throws, since it may or may not be deleted. */
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
  if (answer.code === 404 && isObjectAbsent(answer.status, resource, key)) return { kind: 'gone' };
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
