import type { Key, Resource } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { addressOf } from './address.ts';
import { askAndRead, couldNotLook, isSuccess, objectNamed } from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';
import { isObjectAbsent } from './status.ts';

/** The object as stored now (no resourceVersion is asked for, so no cache may answer). */
export async function get(
  transport: Transport,
  resource: Resource,
  key: Key,
): Promise<KubeObject | undefined> {
  const request: ApiRequest = { method: 'GET', verb: 'get', address: addressOf(resource, key) };
  const answer = await askAndRead(transport, request);
  const object = isSuccess(answer) ? objectNamed(answer.body, key.name) : undefined;
  if (object !== undefined) return object;
  if (answer.code === 404 && isObjectAbsent(answer.status, resource, key)) return undefined;
  throw couldNotLook(transport, request, answer);
}
