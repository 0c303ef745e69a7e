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
  /** All that is in it is lost. */
  lose(): void;
  /** It has been there all the time, and keeps instances from looking at one Machine at once. */
  readonly isReliable: boolean;
}

/** A store that can go away, behind what makes deletions go on without it. */
export function aStore(clock: Clock, isDown: boolean): StagedStore {
  const empty = (): Store => createMemoryStore(clock);
  let isReliable = true;
  const staged: StagedStore = {
    inner: empty(),
    isDown,
    store: empty(),
    lose() {
      isReliable = false;
      this.inner = empty();
    },
    get isReliable() {
      return isReliable && this.store === original;
    },
  };
  const asked = <T>(run: () => Promise<T>): Promise<T> => {
    isReliable &&= !staged.isDown;
    return staged.isDown ? Promise.reject(new StoreUnavailable('connect ECONNREFUSED')) : run();
  };
  const reachable: Store = {
    recordEvictions: (machine, evictions) => asked(() => staged.inner.recordEvictions(machine, evictions)),
    podRecords: (uid) => asked(() => staged.inner.podRecords(uid)),
    recordHook: (machine, record) => asked(() => staged.inner.recordHook(machine, record)),
    hookRecords: (uid) => asked(() => staged.inner.hookRecords(uid)),
    schedule: (look) => asked(() => staged.inner.schedule(look)),
    due: (now, limit) => asked(() => staged.inner.due(now, limit)),
    unschedule: (uid, look) => asked(() => staged.inner.unschedule(uid, look)),
    claim: (claim) => asked(() => staged.inner.claim(claim)),
    release: (release) => asked(() => staged.inner.release(release)),
    hear: (uid, version) => asked(() => staged.inner.hear(uid, version)),
    appendHistory: (machine, entries) => asked(() => staged.inner.appendHistory(machine, entries)),
    history: (uid) => asked(() => staged.inner.history(uid)),
  };
  const original = forgivingStore(reachable, { clock, log: () => undefined });
  staged.store = original;
  return staged;
}
