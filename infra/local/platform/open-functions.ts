import { hostname } from 'node:os';
import { type FactEvent, isFact } from '../../../events/types.ts';
import type { Outbox } from '../../../shared/http/outbox/outbox.ts';
import * as host from '../../host/open-functions.ts';
import type { RequestTally } from '../kubernetes/server/request-counts.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../store/direct-client.ts';

export type FunctionsOptions = Pick<
  host.FunctionsOptions,
  'kubeConfig' | 'clock' | 'random' | 'log' | 'config' | 'actuator' | 'post'
> & {
  /** Counts their requests. */
  tally: RequestTally;
};

/** Called with each fact that the instance sends. */
export type FactListener = (fact: FactEvent) => void;

/** An instance of the functions, its connections and its store. */
export interface Functions extends Pick<host.Functions, 'instance' | 'outbox'> {
  /** URL of the store's DynamoDB. */
  storeEndpoint: string;
  onFact(listener: FactListener): () => void;
  /** Sends the events that are left, then closes everything. */
  close(): Promise<void>;
}

export async function openFunctions(options: FunctionsOptions): Promise<Functions> {
  const { config, clock, log } = options;
  const embedded = await openEmbeddedStore(config.table, clock, log);
  try {
    return openAround(embedded, options);
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

function openAround(embedded: EmbeddedStore, options: FunctionsOptions): Functions {
  const listeners = new Set<FactListener>();
  const functions = host.openFunctions({
    ...options,
    store: embedded.store,
    name: `local/${hostname()}`,
    isOutside: true,
    onRequest: options.tally.add,
    through: (outbox) => overheard(outbox, listeners),
  });
  return {
    instance: functions.instance,
    outbox: functions.outbox,
    storeEndpoint: embedded.endpoint,
    onFact(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await functions.close();
      await embedded.close();
    },
  };
}

/** The outbox, with facts told to listeners here as well, in the order in which they were announced. */
function overheard(outbox: Outbox, listeners: ReadonlySet<FactListener>): Outbox {
  const tell = (fact: FactEvent): void => {
    for (const listener of listeners) listener(fact);
    outbox.publish(fact);
  };
  return {
    ...outbox,
    publish: (fact) => (isFact(fact) ? tell(fact) : outbox.publish(fact)),
    emit: async (event, signal) => (isFact(event) ? tell(event) : outbox.send(event, signal)),
  };
}
