import type { Pod } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isFinished } from './pods.ts';

const tracking = 'batch.kubernetes.io/job-tracking';

/** Lets go of a Job's Pod once it has ended, and has been counted. Its Job may have gone, or not be among the objects. */
export function jobTracking(world: World): void {
  const pods = world.informer<Pod>('pods');
  const queue = world.queue('job-tracking', (key) => {
    const pod = pods.get(key);
    if (pod !== undefined && isEndedAndHeld(pod)) world.dropFinalizer('pods', pod, tracking);
  });
  pods.onChange(({ key, after }) => {
    if (after !== undefined && isEndedAndHeld(after)) queue.add(key);
  });
}

const isEndedAndHeld = (pod: Pod): boolean =>
  isFinished(pod) && (pod.metadata.finalizers ?? []).includes(tracking);
