import { isFact, type OutEvent } from '../../../events/types.ts';
import type { InstanceLog } from '../../runtime/log.ts';
import { type Metrics, noMetrics } from '../../runtime/metrics.ts';
import type { Clock } from '../../time/clock.ts';
import { toBinary } from '../cloud-events/cloud-event.ts';
import type { Emit } from '../context.ts';
import { NotDelivered } from '../failures.ts';
import { createPost, deliver, type Post } from './deliver.ts';

export interface OutboxOptions {
  /** URL of the sink (`K_SINK`); without one commands cannot be sent and facts are not published. */
  sink: string | undefined;
  /** Certificates in PEM of authorities that are believed of the sink, beside the usual ones. */
  sinkAuthorities?: string | undefined;
  clock: Clock;
  random: () => number;
  log: InstanceLog;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  post?: Post;
}

/** Sends facts and commands to the Broker, with retries. */
export interface Outbox {
  /** Resolves when the sink has taken the event; rejects with NotDelivered. */
  send(event: OutEvent, signal?: AbortSignal): Promise<void>;
  /** Sends a fact after the caller has gone on. What cannot be sent is logged and lost. */
  publish(fact: OutEvent): void;
  /** Publishes a fact, sends a command: no listener's failure may hold up a deletion. */
  emit: Emit;
  /** Facts that were published and not sent yet. */
  pending(): number;
  /** Resolves when every fact published so far was sent or given up. */
  flush(): Promise<void>;
}

const maxCommandsAtOnce = 32;
const maxFactsAtOnce = 4;
/** A Node may be emptied of many Pods at once, and each is a fact. */
const maxPendingFacts = 10_000;

/** The way out for events that are not replies. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { log } = options;
  const post = options.post ?? createPost(options.sinkAuthorities);
  // A deletion's next step must not queue behind the thousand facts of somebody else's drain.
  const commandPlaces = new Places(maxCommandsAtOnce);
  const factPlaces = new Places(maxFactsAtOnce);
  const pending = new Set<Promise<void>>();

  const send = (event: OutEvent, signal?: AbortSignal): Promise<void> =>
    (isFact(event) ? factPlaces : commandPlaces).run(() => put(options, post, event, signal), signal);

  const publish = (fact: OutEvent): void => {
    if (options.sink === undefined) {
      log.once('outbox/no-sink').warn('facts are not told: K_SINK is not set');
      return;
    }
    if (pending.size >= maxPendingFacts) {
      log.once('outbox/full').warn('facts are lost: the sink is too slow', { pending: pending.size });
      options.metrics?.count('eventsSent', { type: fact.type, outcome: 'lost' });
      return;
    }
    const sent = send(fact)
      .catch((error: unknown) => log.warn('fact was not told', { type: fact.type, event: fact.id, error }))
      .finally(() => pending.delete(sent));
    pending.add(sent);
  };

  return {
    send,
    publish,
    emit: async (event, signal) => (isFact(event) ? publish(event) : send(event, signal)),
    pending: () => pending.size,
    async flush() {
      // The clock's timers keep no process alive, and a retry that is still to come must not be cut off.
      const alive = setInterval(() => undefined, 1_000);
      while (pending.size > 0) await Promise.all(pending);
      clearInterval(alive);
    },
  };
}

async function put(options: OutboxOptions, post: Post, event: OutEvent, signal?: AbortSignal): Promise<void> {
  const { metrics = noMetrics, sink, clock, random } = options;
  let outcome = 'lost';
  try {
    if (sink === undefined) throw new NotDelivered('K_SINK is not set: there is nowhere to send events to');
    await deliver({ sink, clock, random, post }, toBinary(event), signal);
    outcome = 'taken';
  } finally {
    metrics.count('eventsSent', { type: event.type, outcome });
  }
}

/** Lets a number of tasks run at once; the others wait in the order they came. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(number: number) {
    this.#free = number;
  }

  /** Throws NotDelivered where the signal is aborted before there is a place. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free === 0) await this.#turn(signal);
    else this.#free -= 1;
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      // The place passes on directly, so that no later call can take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(take);
        signal?.removeEventListener('abort', giveUp);
      };
      const take = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(new NotDelivered('too many events are under way to a sink that does not answer'));
      };
      this.#waiting.add(take);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    });
  }
}
