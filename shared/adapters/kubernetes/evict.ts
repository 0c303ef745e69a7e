import { classifyRefusal } from '../../drain/eviction-answer.ts';
import type { Eviction, EvictionAnswer } from '../../kubernetes/client.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import { pods } from '../../kubernetes/resources.ts';
import { addressOf } from './address.ts';
import { askAndRead, couldNotLook, isSuccess, type ReadAnswer } from './read-response.ts';
import type { ApiRequest, Transport } from './request.ts';
import { isObjectAbsent } from './status.ts';

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
    if (isSuccess(answer) || isForeign404(answer, { name, namespace })) {
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

/** A 404 that is not about the Pod (no such API, a proxy's page) does not make it gone. */
function isForeign404(answer: ReadAnswer, key: { name: string; namespace: string }): boolean {
  return answer.code === 404 && !isObjectAbsent(answer.status, pods, key);
}

const failed = ({ message: detail, statusText: text }: Unavailable): EvictionAnswer => ({
  kind: 'refused',
  cause: 'Failed',
  text,
  ...(detail !== text && { detail }),
});
