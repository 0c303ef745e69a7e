import { claimsOf, type Pod } from '../kubernetes/objects.ts';
import { listOf } from '../text/truncate.ts';
import type { Instant } from '../time/clock.ts';

/** A kubelet may take this long to remove a Pod whose containers have stopped. */
const removalMilliseconds = 60_000;

/** What keeps a Pod that terminates, with its names. The kubelet where the Pod shows nothing else. */
interface Holder {
  by: 'finalizers' | 'containers' | 'volumes' | 'kubelet';
  names: readonly string[];
}

/** How long ago the Pod's time to stop was over; below 0 while it is not. */
export const overdueBy = ({ metadata }: Pod, now: Instant): number =>
  now - Date.parse(metadata.deletionTimestamp ?? '');

/** Whether it should be gone, and time alone does not explain that it is not. */
export const isTerminatingForLong = (pod: Pod, now: Instant): boolean =>
  overdueBy(pod, now) > removalMilliseconds;

/** What holds a Pod whose time to stop is over. A kubelet takes the grace period to 0 as its last act. */
export function holderOf(pod: Pod): Holder {
  const { finalizers = [], deletionGracePeriodSeconds } = pod.metadata;
  const containers = pod.status?.containerStatuses ?? [];
  const running = containers.filter(({ state }) => state?.running !== undefined).map(({ name }) => name);
  if (finalizers.length > 0 && (deletionGracePeriodSeconds === 0 || running.length === 0))
    return { by: 'finalizers', names: finalizers };
  if (running.length > 0) return { by: 'containers', names: running };
  const claims = claimsOf(pod);
  const haveStopped = containers.length > 0;
  return haveStopped && claims.length > 0 ? { by: 'volumes', names: claims } : { by: 'kubelet', names: [] };
}

/** In the midst of a line: `finalizer example.com/x`. */
export function holderText({ by, names }: Holder): string {
  const [one, many] = nouns[by];
  return names.length === 0 ? one : `${names.length === 1 ? one : many} ${listOf(names, 3)}`;
}

const nouns: Readonly<Record<Holder['by'], readonly [string, string]>> = {
  finalizers: ['finalizer', 'finalizers'],
  containers: ['container', 'containers'],
  volumes: ['the volume of claim', 'the volumes of claims'],
  kubelet: ['its kubelet', 'its kubelet'],
};
