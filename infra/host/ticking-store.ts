import type { Ticks } from '../../shared/runtime/ping-schedule.ts';
import type { Store } from '../../shared/store/port.ts';

/** The same store, but each attempt to set a look also starts the tick that asks for it, even if the attempt fails. */
export function tickingStore(store: Store, ticks: Ticks): Store {
  const ticking = async <T>(set: () => Promise<T>): Promise<T> => {
    try {
      return await set();
    } finally {
      await ticks.start();
    }
  };
  return {
    ...store,
    schedule: (look) => ticking(() => store.schedule(look)),
    // The release of a claim follows it soon.
    claim: (claim) => ticking(() => store.claim(claim)),
  };
}
