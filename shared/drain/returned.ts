import type { Pod } from '../kubernetes/objects.ts';
import { uidOf } from '../kubernetes/pod.ts';
import type { PodRecord } from '../store/port.ts';

/**
 * A Pod that stands where one of its kind was evicted from before: it tolerates the cordon, and will come again.
 * Evicting such Pods as fast as they return would only load the API, so they are left to the unhurried look, as
 * often as the peer evicts them. Kind means the same name, or the same generated prefix.
 */
export function hasReturned(pod: Pod, records: ReadonlyMap<string, PodRecord>): boolean {
  const createdAt = Date.parse(pod.metadata.creationTimestamp ?? '');
  return [...records.values()].some(
    (record) =>
      record.podUid !== uidOf(pod) &&
      record.outcome !== 'refused' &&
      isOfTheSameKind(pod, record) &&
      createdAt > record.lastAttempt,
  );
}

function isOfTheSameKind({ metadata }: Pod, { namespace, name }: PodRecord): boolean {
  if (metadata.namespace !== namespace) return false;
  const prefix = metadata['generateName'];
  return name === metadata.name || (typeof prefix === 'string' && prefix !== '' && name.startsWith(prefix));
}
