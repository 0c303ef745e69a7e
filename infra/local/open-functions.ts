import { hostname } from 'node:os';
import { type FactEvent, isFact } from '../../events/types.ts';
import type { Actuator } from '../../shared/actuator/port.ts';
import { connect } from '../../shared/adapters/kubernetes/connect.ts';
import type { KubeConfig } from '../../shared/adapters/kubernetes/kube-config.ts';
import { createWorkloadClusters } from '../../shared/adapters/kubernetes/workload-clusters.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Config } from '../../shared/runtime/config.ts';
import { createOutbox, type Outbox } from '../../shared/runtime/http/outbox.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { actuatorOf } from '../host/actuator.ts';
import { createInstance, type Instance } from '../host/instance.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { type RequestCount, RequestTally } from './request-tally.ts';

export interface FunctionsOptions {
  kubeConfig: KubeConfig;
  clock: Clock;
  random: () => number;
  log: Log;
  config: Config;
  /** The Broker's address. */
  sink: string;
  /** Instead of the provider that the configuration names. */
  actuator?: Actuator;
}

export type FactListener = (fact: FactEvent) => void;

/** An instance of the functions, its connections and its store. */
export interface Functions {
  instance: Instance;
  outbox: Outbox;
  onFact(listener: FactListener): () => void;
  requests(): RequestCount[];
  /** Tells what is still to be told, then lets go of everything. */
  close(): Promise<void>;
}

export async function openFunctions(options: FunctionsOptions): Promise<Functions> {
  const { kubeConfig, clock, random, log, config } = options;
  const closing = new AsyncDisposableStack();
  const tally = new RequestTally();
  const management = connect(kubeConfig, { clock, onRequest: tally.add });
  closing.defer(() => management.close());
  const workloads = createWorkloadClusters(management, {
    clock,
    connection: { onRequest: tally.add },
    evictions: {
      perSecond: config.evictionsPerSecond,
      burst: config.evictionBurst,
      inFlight: config.evictionsInFlight,
    },
  });
  closing.defer(() => workloads.close());
  const embedded = await openEmbeddedStore(config.table, clock, log);
  closing.defer(() => embedded.close());

  const listeners = new Set<FactListener>();
  const outbox = overheard(createOutbox(options), listeners);
  const instance = createInstance({
    management,
    workloads,
    actuator: options.actuator ?? actuatorOf(config, management, clock),
    store: embedded.store,
    clock,
    random,
    log,
    config,
    outbox,
    name: `local/${hostname()}`,
    isOutside: true,
  });
  closing.defer(async () => {
    await instance.close();
    await outbox.flush();
  });
  return {
    instance,
    outbox,
    onFact(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    requests: () => tally.counts(),
    close: () => closing.disposeAsync(),
  };
}

/** The outbox, with facts told to listeners here as well, in the order in which they were announced. */
function overheard(outbox: Outbox, listeners: ReadonlySet<FactListener>): Outbox {
  const tell = (fact: FactEvent): void => {
    for (const listener of listeners) listener(fact);
    outbox.tell(fact);
  };
  return {
    ...outbox,
    tell: (fact) => (isFact(fact) ? tell(fact) : outbox.tell(fact)),
    emit: async (event, signal) => (isFact(event) ? tell(event) : outbox.send(event, signal)),
  };
}
