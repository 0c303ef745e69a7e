import type { Clock, Instant } from '../../../../shared/time/clock.ts';
import { ApiError } from '../../kubernetes/objects/cluster.ts';

export interface WorkQueueOptions {
  clock: Clock;
  /** Brings the world closer to what the object of this key asks for; runs again whenever it is added. */
  reconcile: (key: string) => void;
  /** Told of failures that are not the ordinary races of a cluster. */
  report: (error: unknown, key: string) => void;
}

const firstRetryMilliseconds = 50;
const lastRetryMilliseconds = 30_000;

/** Keys to look at, each once however often it is added. A failed look is repeated later and later. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #ready = new Set<string>();
  readonly #delayed = new Map<string, { at: Instant; cancel: () => void }>();
  readonly #failures = new Map<string, number>();
  #cancelRun: (() => void) | undefined;
  #stopped = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#ready.add(key);
    this.#cancelRun ??= this.#options.clock.after(0, () => this.#run());
  }

  /** Adds the key at that time; of several times for one key the earliest counts. */
  addAt(key: string, at: Instant): void {
    const planned = this.#delayed.get(key);
    if (this.#stopped || (planned !== undefined && planned.at <= at)) return;
    planned?.cancel();
    const cancel = this.#options.clock.after(Math.max(0, at - this.#options.clock.now()), () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRun?.();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#ready.clear();
  }

  #run(): void {
    this.#cancelRun = undefined;
    const keys = [...this.#ready];
    this.#ready.clear();
    for (const key of keys) if (!this.#stopped) this.#look(key);
  }

  #look(key: string): void {
    try {
      this.#options.reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
  }

  #retry(key: string, error: unknown): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    if (failures === 0 && !isOrdinaryRace(error)) this.#options.report(error, key);
    const delay = Math.min(lastRetryMilliseconds, firstRetryMilliseconds * 2 ** Math.min(failures, 20));
    this.addAt(key, this.#options.clock.now() + delay);
  }
}

// Gone, changed meanwhile, or in a namespace that is going: the next look sees it.
function isOrdinaryRace(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 404 || error.code === 409 || /being terminated/.test(error.message);
}
