import type { ChangeType } from '../kubernetes/client.ts';
import { isFinished, type KubeObject } from '../kubernetes/objects.ts';
import type { PodsGone } from '../phase/decision.ts';

/** Whether a change ends a wait. `soon`: more of the same may follow, and one look serves them all. */
export type Seen = (type: ChangeType, object: KubeObject) => boolean | 'soon';

/** As many as the message of an unfinished drain names. While more are to go any moment one look serves them all. */
const fewPods = 3;

/**
 * Tells when Pods have gone that a drain waits for: at once where all have, or all of the lowest order; a moment later
 * where others are left. A Pod that never goes must not hide the end of the others. A completed Pod counts as gone.
 */
export function awaitPods({ uids, lowestOrder = [], lasting = [], refused = [] }: PodsGone): Seen {
  const awaited = new Set(uids);
  const lowest = new Set(lowestOrder);
  const others = new Set(refused);
  const mayLast = new Set(lasting);

  return (type, object) => {
    const { uid = '' } = object.metadata;
    if (type !== 'DELETED' && !isFinished(object)) return false;
    const [isAwaited, isLowest, isOther] = [awaited, lowest, others].map((set) => set.delete(uid));
    if ((isAwaited && awaited.size === 0) || (isLowest && lowest.size === 0)) return true;
    if (isOther) return 'soon';
    return isAwaited && [...awaited].filter((each) => !mayLast.has(each)).length <= fewPods ? 'soon' : false;
  };
}
