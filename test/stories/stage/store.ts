import { forgivingStore } from '../../../shared/store/best-effort.ts';
import { createMemoryStore } from '../../../shared/store/in-memory.ts';
import { type Store, StoreUnavailable } from '../../../shared/store/port.ts';
import type { Clock } from '../../../shared/time/clock.ts';

export interface StagedStore {
  /** As instances see it. */
  store: Store;
  /** What is really in it. */
  inner: Store;
  isDown: boolean;
  /** It has been there all the time, and keeps instances from looking at one Machine at once. */
  readonly isReliable: boolean;
}

/** A store that can go away, behind what makes deletions go on without it. */
export function aStore(clock: Clock, isDown: boolean): StagedStore {
  const inner: Store = createMemoryStore(clock);
  let isReliable = true;
  const staged = {
    inner,
    isDown,
    store: inner,
    get isReliable() {
      return isReliable && this.store === original;
    },
  };
  const asked = <T>(run: () => Promise<T>): Promise<T> => {
    isReliable &&= !staged.isDown;
    return staged.isDown ? Promise.reject(new StoreUnavailable('connect ECONNREFUSED')) : run();
  };
  const reachable: Store = {
    recordEvictions: (machine, evictions) => asked(() => inner.recordEvictions(machine, evictions)),
    podRecords: (uid) => asked(() => inner.podRecords(uid)),
    schedule: (look) => asked(() => inner.schedule(look)),
    due: (now, limit) => asked(() => inner.due(now, limit)),
    unschedule: (uid, look) => asked(() => inner.unschedule(uid, look)),
    claim: (claim) => asked(() => inner.claim(claim)),
    release: (release) => asked(() => inner.release(release)),
    hear: (uid, version) => asked(() => inner.hear(uid, version)),
    appendHistory: (machine, entries) => asked(() => inner.appendHistory(machine, entries)),
    history: (uid) => asked(() => inner.history(uid)),
  };
  const original = forgivingStore(reachable, { clock, log: () => undefined });
  staged.store = original;
  return staged;
}
