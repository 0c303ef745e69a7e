import { LruMap } from '../cache/lru-map.ts';
import type { Kubernetes, WorkloadClusters, WorkloadRef } from '../kubernetes/client.ts';
import type { Advance } from '../machine/messages.ts';
import type { WaitsFor } from '../phase/decision.ts';
import type { WakeUps } from '../runtime/environment.ts';
import type { Log } from '../runtime/log.ts';
import { type Metrics, noMetrics } from '../runtime/metrics.ts';
import type { Clock, Instant, Stopwatch } from '../time/clock.ts';
import { type Watched, watchFor } from './watch.ts';

export interface WakeUpOptions {
  management: Kubernetes;
  workloads: WorkloadClusters;
  clock: Clock;
  log: Pick<Log, 'debug'>;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** Runs the step that waited; the caller announces its result. Must not throw. */
  wake: (advance: Advance) => void;
  /** At most this many Machines are watched for. Others wait for the sweep, those first that wait longest for a time alone. */
  maxMachines: number;
  /** Each watch is dropped after this many seconds: a stream may have gone silent without an error. */
  lifetimeSeconds: number;
}

/** One Machine's wait: the watches and timers that would end it. */
interface Vigil {
  /** When it ends where only time ends it: the sweep looks then, too. Before all times where it watches. */
  endsAt: Instant;
  stop(): void;
}

interface Waiting {
  uid: string;
  workload: WorkloadRef | undefined;
  vigil: Vigil;
  stops: (() => void)[];
  wake: () => void;
}

/** Accelerators only: all may be lost at any moment, and the sweep still finishes every deletion. */
export class WatchingWakeUps implements WakeUps {
  readonly #options: WakeUpOptions;
  readonly #metrics: Metrics;
  readonly #vigils = new Map<string, Vigil>();
  readonly #relisting: Relisting;
  #isClosed = false;

  constructor(options: WakeUpOptions) {
    this.#options = options;
    this.#relisting = new Relisting(options.clock);
    this.#metrics = options.metrics ?? noMetrics;
  }

  get count(): number {
    return this.#vigils.size;
  }

  keep(advance: Advance, until: WaitsFor[], workload: WorkloadRef | undefined): void {
    const { uid } = advance.machine;
    this.drop(uid);
    const endsAt = endOf(until);
    if (this.#isClosed || until.length === 0 || !this.#hasRoomFor(endsAt)) return;
    const stops: (() => void)[] = [];
    const vigil: Vigil = { endsAt, stop: () => stops.splice(0).forEach((stop) => stop()) };
    this.#vigils.set(uid, vigil);
    this.#count();
    const wake = (): void => this.#wake(uid, vigil, advance);
    for (const ending of until) this.#await(ending, { uid, workload, vigil, stops, wake });
    stops.push(this.#options.clock.after(this.#options.lifetimeSeconds * 1_000, () => this.#end(uid, vigil)));
  }

  drop(machineUid: string): void {
    const vigil = this.#vigils.get(machineUid);
    if (vigil !== undefined) this.#end(machineUid, vigil);
  }

  /** Drops everything and keeps nothing from now on: the instance is going away. */
  close(): void {
    this.#isClosed = true;
    for (const uid of this.#vigils.keys()) this.drop(uid);
  }

  /**
   * Where there is no room, the Machine with the longest wait gives way. One that waits for a hook or a pause, perhaps for
   * days, must not keep one that drains from watching.
   */
  #hasRoomFor(endsAt: Instant): boolean {
    if (this.#vigils.size < this.#options.maxMachines) return true;
    const byEnd = [...this.#vigils].toSorted(([, one], [, other]) => other.endsAt - one.endsAt);
    const [last] = byEnd;
    if (last === undefined || last[1].endsAt <= endsAt) return false;
    this.#end(...last);
    return true;
  }

  #end(uid: string, vigil: Vigil): void {
    if (this.#vigils.get(uid) === vigil) this.#vigils.delete(uid);
    this.#count();
    vigil.stop();
  }

  #count(): void {
    this.#metrics.replace('wakeUpsKept', [{ labels: {}, value: this.#vigils.size }]);
  }

  #wake(uid: string, vigil: Vigil, advance: Advance): void {
    if (this.#vigils.get(uid) !== vigil) return;
    this.#end(uid, vigil);
    this.#metrics.count('wakeUps', {});
    this.#options.wake(advance);
  }

  #await(ending: WaitsFor, waiting: Waiting): void {
    const { stops, wake } = waiting;
    const { clock } = this.#options;
    if (ending.kind === 'time') {
      const wakeInTime = (): void => {
        this.#metrics.observe('dueLag', { by: 'wake-up' }, (clock.now() - ending.at) / 1_000);
        wake();
      };
      stops.push(clock.after(Math.max(0, ending.at - clock.now()), wakeInTime));
      return;
    }
    if (isWatched(ending)) void this.#watch(ending, waiting);
  }

  async #watch(ending: Watched, waiting: Waiting): Promise<void> {
    const { uid, workload, vigil, stops, wake } = waiting;
    const isManagement = ending.kind === 'object-gone' && ending.side === 'management';
    try {
      const api = isManagement ? this.#options.management : await this.#workload(workload);
      const isOver = ![...this.#vigils.values()].includes(vigil);
      if (!isOver && api !== undefined) {
        const { clock } = this.#options;
        const wakeToList = (): void => void stops.push(this.#relisting.inTurn(uid, wake));
        stops.push(...watchFor({ kubernetes: api, clock, wake, wakeToList }, ending));
      }
    } catch (error) {
      this.#options.log.debug('Wake-up not kept', { why: String(error) });
    }
  }

  #workload(workload: WorkloadRef | undefined): Promise<Kubernetes | undefined> {
    return workload === undefined ? Promise.resolve(undefined) : this.#options.workloads.of(workload);
  }
}

/** A Machine's own changes arrive as events; there is nothing else to watch for a hook or a pause. */
const isWatched = (ending: WaitsFor): ending is Watched =>
  ending.kind !== 'time' && ending.kind !== 'hook-removed' && ending.kind !== 'unpaused';

/** The soonest of its times, or before all times where anything is watched for. */
const endOf = (until: WaitsFor[]): Instant =>
  until.some(isWatched)
    ? -Infinity
    : Math.min(...until.flatMap((ending) => (ending.kind === 'time' ? [ending.at] : [])));

/** For instances that keep none: the sweep alone finishes every deletion. */
export const noWakeUps: WakeUps = { keep: () => undefined, drop: () => undefined };

const betweenMilliseconds = 10_000;

/**
 * When to look at a Machine after an API has forgotten what has changed. At once, but not twice in a row. An API that
 * forgets each list as soon as it was read would cause reads without end. By UID of the Machine.
 */
export class Relisting {
  readonly #clock: Clock;
  readonly #looks = new LruMap<Stopwatch>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back when it is time, then or later. Returns the way to stop it. */
  inTurn(uid: string, look: () => void): () => void {
    const lookNow = (): void => {
      this.#looks.set(uid, this.#clock.stopwatch());
      look();
    };
    const left = betweenMilliseconds - (this.#looks.get(uid)?.() ?? betweenMilliseconds);
    if (left > 0) return this.#clock.after(left, lookNow);
    lookNow();
    return () => undefined;
  }
}
