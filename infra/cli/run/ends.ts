import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { SeenMachines } from '../../local/platform/seen-machines.ts';
import type { Fleet, Target } from '../fleet.ts';
import { pause } from './until-gone.ts';

/** For Machines that no watch shows: those of other namespaces, or of a source that cannot watch yet. */
const unseenLookMilliseconds = 5_000;
/** How long a watch may take to tell of an end. */
const lateMilliseconds = 1_000;

export type WatchedFleet = Fleet & { machines: SeenMachines };

/** Learns from the sources' watches when Machines are gone. Asks the API server only where a watch cannot tell. */
export class Ends {
  readonly #fleet: WatchedFleet;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** By UID. */
  readonly #awaited = new Map<string, AbortController>();

  constructor(fleet: WatchedFleet, clock: Clock, signal: AbortSignal) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#signal = signal;
    fleet.machines.listen({ gone: (uid) => this.#awaited.get(uid)?.abort() });
  }

  /** Resolves true when this very Machine is gone, false when the signal came first. */
  async untilGone(target: Target): Promise<boolean> {
    const gone = new AbortController();
    this.#awaited.set(target.uid, gone);
    try {
      await this.#lookUntil(AbortSignal.any([gone.signal, this.#signal]), target);
      return gone.signal.aborted;
    } finally {
      this.#awaited.delete(target.uid);
    }
  }

  /** Our finalizer is off, so the Machine may be gone. The watch may have failed silently: ask once. */
  async expectEnd(target: Target): Promise<void> {
    await pause(lateMilliseconds, this.#clock, this.#signal);
    if (!this.#signal.aborted && this.#awaited.has(target.uid)) await this.#look(target);
  }

  async #lookUntil(over: AbortSignal, target: Target): Promise<void> {
    while (!over.aborted) {
      if (!this.#fleet.machines.has(target.uid)) await this.#look(target);
      await pause(unseenLookMilliseconds, this.#clock, over);
    }
  }

  async #look({ api, namespace, name, uid }: Target): Promise<void> {
    try {
      const found = await this.#fleet.kubernetes.get(api.resource, { namespace, name });
      if (found?.metadata.uid !== uid) this.#awaited.get(uid)?.abort();
    } catch (error) {
      // A later answer may come; until then the state is unknown.
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}
