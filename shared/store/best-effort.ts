import { CircuitBreaker, type Pass } from '../async/circuit-breaker.ts';
import type { Clock } from '../time/clock.ts';
import { type ForgivingStore, type Store, StoreUnavailable } from './port.ts';

interface ForgivingOptions {
  clock: Clock;
  /** Takes one line for people to read. */
  log: (line: string) => void;
}

/**
 * The same store, except that a deletion never fails or waits because of it. While it is out of reach, reads answer
 * empty and writes are dropped. A circuit breaker keeps most calls from it. Other errors than StoreUnavailable are
 * mistakes of ours and pass through.
 */
export function forgivingStore(store: Store, options: ForgivingOptions): ForgivingStore {
  const outages = new Outages(options.clock, options.log);
  const attempt = async <T>(run: () => Promise<T>, instead: T, writes = 0): Promise<T> => {
    const answer = await answerIn(outages, run);
    if (answer !== undefined) return answer.value;
    outages.lost(writes);
    return instead;
  };

  return {
    isAvailable: () => outages.isOver,
    recordEvictions: (machine, evictions) =>
      attempt(() => store.recordEvictions(machine, evictions), undefined, evictions.length),
    podRecords: (machineUid) => attempt(() => store.podRecords(machineUid), []),
    recordHook: (machine, record) => attempt(() => store.recordHook(machine, record), undefined, 1),
    hookRecords: (machineUid) => attempt(() => store.hookRecords(machineUid), []),
    schedule: (look) => attempt(() => store.schedule(look), true, 1),
    due: (now, limit) => attempt(() => store.due(now, limit), []),
    unschedule: (machineUid, look) => attempt(() => store.unschedule(machineUid, look), undefined, 1),
    claim: (claim) => attempt(() => store.claim(claim), { kind: 'taken', before: { ours: [], news: [] } }, 1),
    release: (release) => attempt(() => store.release(release), { kind: 'released', news: [] }, 1),
    hear: (machineUid, resourceVersion) =>
      attempt<'noted' | 'echo' | 'free'>(() => store.hear(machineUid, resourceVersion), 'free'),
    appendHistory: (machine, entries) =>
      attempt(() => store.appendHistory(machine, entries), undefined, entries.length),
    history: (machineUid) => attempt(() => store.history(machineUid), []),
  };
}

/** Undefined where the store is left alone, or does not answer. */
async function answerIn<T>(outages: Outages, run: () => Promise<T>): Promise<{ value: T } | undefined> {
  const pass = outages.pass();
  if (pass === 'none') return undefined;
  try {
    const value = await run();
    outages.succeeded(pass);
    return { value };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) {
      outages.abandoned(pass);
      throw error;
    }
    outages.failed(pass, error.message);
    return undefined;
  }
}

/** Outages of the store, with one line when an outage begins and one when it is over. */
export class Outages {
  readonly #breaker: CircuitBreaker;
  readonly #log: (line: string) => void;
  #lostWrites = 0;

  constructor(clock: Pick<Clock, 'stopwatch'>, log: (line: string) => void) {
    this.#breaker = new CircuitBreaker(clock);
    this.#log = log;
  }

  get isOver(): boolean {
    return this.#breaker.outage === undefined;
  }

  pass(): Pass {
    return this.#breaker.pass();
  }

  /** A usual call that ends well during an outage began before it and proves nothing. */
  succeeded(pass: Pass): void {
    const { outage } = this.#breaker;
    if (outage === undefined || pass !== 'probe') return;
    this.#breaker.ended();
    const seconds = Math.round(outage.age() / 1000);
    this.#log(`The store answers again after ${seconds} s. Writes lost: ${this.#lostWrites}.`);
  }

  /** Only a failed probe makes an outage's pause longer. */
  failed(pass: Pass, reason: string): void {
    const isFirst = this.isOver;
    if (isFirst || pass === 'probe') this.#breaker.failed(reason);
    if (!isFirst) return;
    this.#lostWrites = 0;
    this.#log(
      `The store does not answer: ${reason}. Deletions go on: evictions with default back-off, what is due by ` +
        'listing Machines. The history and eviction records of this time will be missing.',
    );
  }

  /** The call ended without showing whether the store answers: the next one tries. */
  abandoned(pass: Pass): void {
    if (pass === 'probe') this.#breaker.abandoned();
  }

  lost(writes: number): void {
    if (!this.isOver) this.#lostWrites += writes;
  }
}
