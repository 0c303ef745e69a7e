import type { Config } from '../../shared/runtime/config.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { StoreUnavailable } from '../../shared/store/port.ts';
import { openStore } from './open-store.ts';
import type { Outside } from './outside.ts';

/** Creates the table or updates it; safe to run at the same time elsewhere. Returns the exit code. */
export async function setUpTable(
  config: Config,
  options: Pick<Outside, 'env' | 'clock'> & { log: InstanceLog },
): Promise<number> {
  const { log } = options;
  const { table, dynamodbEndpoint: endpoint } = config;
  const store = openStore(config, options);
  try {
    const done = await store.ensureTable();
    log.info(done === 'created' ? 'Table created' : 'Table is there already', { table, endpoint });
    return 0;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.error('Table is not usable', { table, endpoint, why: error.message });
    return 1;
  } finally {
    store.close();
  }
}
