import type { Ticks } from '../../shared/runtime/ping-schedule.ts';
import type { Store } from '../../shared/store/port.ts';

/** The same store, but a look that was to be set, even in vain, has the tick going that asks for it. */
export const tickingStore = (store: Store, ticks: Ticks): Store => ({
  ...store,
  async schedule(look) {
    try {
      return await store.schedule(look);
    } finally {
      await ticks.start();
    }
  },
});
