import type { Instant } from '../../../../shared/time/clock.ts';
import { ApiError } from '../../kubernetes/objects/cluster.ts';
import { isTerminating, type Node, type Pod, uidOf } from '../machinery/objects.ts';
import type { World } from '../machinery/world.ts';
import { isUnreachable } from '../nodes/nodes.ts';
import { isLongGone, isOfDaemonSet, podsOn } from '../peer/pods.ts';
import { isMirror } from '../workloads/pods.ts';

const longestMilliseconds = 20_000;
/** Between two tries to evict a Pod whose budget refuses it. */
const refusedMilliseconds = 5_000;

/** The Pods that a drain waits for. Those of DaemonSets and static ones stay. Labels and rules are not heard. */
export const podsToGo = (world: World, node: Node): Pod[] =>
  podsOn(world, node).filter(
    (pod) =>
      !isOfDaemonSet(world, pod) &&
      !isMirror(pod) &&
      !(isUnreachable(node) && isTerminating(pod) && isLongGone(world, pod)),
  );

/** One try to drain a Node. All Pods are evicted at once, and the refused ones again until its time is over. */
export class Attempt {
  readonly #end: Instant;
  readonly #notBefore = new Map<string, Instant>();

  constructor(start: Instant) {
    this.#end = start + longestMilliseconds;
  }

  isOver(now: Instant): boolean {
    return now >= this.#end;
  }

  evict(world: World, node: Node, pods: readonly Pod[]): void {
    const now = world.clock.now();
    for (const pod of pods) {
      if (isTerminating(pod) || now < (this.#notBefore.get(uidOf(pod)) ?? 0)) continue;
      this.#notBefore.set(uidOf(pod), now + refusedMilliseconds);
      try {
        world.evict(pod, isUnreachable(node) ? { gracePeriodSeconds: 1 } : {});
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }
}
