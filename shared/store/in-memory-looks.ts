import type { Clock } from '../time/clock.ts';
import { isUnderWay, lookAtEnd, unnamed } from './claim.ts';
import type { Claim, Requeue, Store } from './port.ts';
import { isThatLook, oldestDue, soonest, takesThePlaceOf } from './requeue.ts';

/** What is kept of one Machine. */
interface Kept {
  look: Requeue;
  claim?: Pick<Claim, 'by' | 'until'>;
  ours: readonly string[];
  news: readonly string[];
}

type Looks = Pick<Store, 'schedule' | 'due' | 'unschedule' | 'claim' | 'release' | 'hear'>;

/** The looks of a store in memory, and the claims on their Machines. */
export function createMemoryLooks(clock: Pick<Clock, 'now'>): Looks {
  const items = new Map<string, Kept>();
  return {
    async schedule(look) {
      const kept = items.get(look.machine.uid);
      if (kept !== undefined && !takesThePlaceOf(look, kept.look, clock.now())) return false;
      items.set(look.machine.uid, { ours: [], news: [], ...kept, look: structuredClone(look) });
      return true;
    },
    async due(now, limit) {
      const looks = [...items.values()].map(({ look }) => look);
      const due = looks.filter(({ at }) => at <= now && at >= oldestDue(now));
      return structuredClone(soonest(due, Math.max(0, limit)));
    },
    async unschedule(machineUid, look) {
      const kept = items.get(machineUid);
      if (look === undefined || (kept !== undefined && isThatLook(look, kept.look))) items.delete(machineUid);
    },
    ...claims(items, clock),
  };
}

const claims = (
  items: Map<string, Kept>,
  clock: Pick<Clock, 'now'>,
): Pick<Store, 'claim' | 'release' | 'hear'> => ({
  async claim(claim) {
    const { machine, by, at, until } = claim;
    const kept = items.get(machine.uid);
    const isHeld = kept?.claim !== undefined && kept.claim.by !== by && isUnderWay(kept.claim.until, at);
    if (isHeld) return { kind: 'held' };
    const { look, ours = [], news = [] } = kept ?? {};
    items.set(machine.uid, { look: structuredClone(lookAtEnd(claim)), claim: { by, until }, ours, news: [] });
    return { kind: 'taken', before: { ...(look && { look: structuredClone(look) }), ours, news } };
  },
  async release({ machine, by, look, ours }) {
    const kept = items.get(machine.uid);
    if (kept?.claim?.by !== by) return { kind: 'lost' };
    if (look === undefined) items.delete(machine.uid);
    else items.set(machine.uid, { look: structuredClone(look), ours: [...ours], news: [] });
    return { kind: 'released', news: kept.news };
  },
  async hear(machineUid, resourceVersion) {
    const kept = items.get(machineUid);
    if (kept?.claim !== undefined && isUnderWay(kept.claim.until, clock.now())) {
      items.set(machineUid, { ...kept, news: [...new Set([...kept.news, resourceVersion ?? unnamed])] });
      return 'noted';
    }
    return resourceVersion !== undefined && kept?.ours.includes(resourceVersion) === true ? 'echo' : 'free';
  },
});
