import type { Ticks } from '../../shared/runtime/ping-schedule.ts';
import type { Store } from '../../shared/store/port.ts';

/** The same store. Each attempt to set a look also starts the tick that asks for it, even if the attempt fails. */
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
