import type { Kubernetes, Resource, WorkloadClusters, WorkloadRef } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Advance } from '../machine/messages.ts';
import type { WaitsFor } from '../phase/decision.ts';
import type { WakeUps } from '../runtime/environment.ts';
import type { Log } from '../runtime/log.ts';
import { type Metrics, noMetrics } from '../runtime/metrics.ts';
import type { Clock, Instant } from '../time/clock.ts';
import { Relisting } from './relisting.ts';
import { sharingPods } from './shared-pods.ts';
import type { Source, Waking } from './stream.ts';
import { Streams, type Wanted } from './streams.ts';
import { isWatched, type Watched, watches } from './watch.ts';

/** What wake-ups are kept with. */
export interface WakeUpOptions {
  management: Kubernetes;
  workloads: WorkloadClusters;
  clock: Clock;
  log: Pick<Log, 'debug'>;
  /** Counts nothing unless given. */
  metrics?: Metrics;
  /** Gets each object of a workload cluster that has gone, by a watch. What is remembered of it is old. */
  gone?: (workload: WorkloadRef, resource: Resource, object: KubeObject) => void;
  /** Runs the step that waited; the caller announces its result. Must not throw. */
  wake: (advance: Advance) => void;
  /** At most this many Machines are watched for. Others wait for the sweep, those first that wait longest for a time alone. */
  maxMachines: number;
  /** Each watch is dropped after this many seconds: a stream may have gone silent without an error. */
  lifetimeSeconds: number;
}

/** One Machine's wait: the timers that would end it. */
interface Vigil {
  /** When it ends where only time ends it. Before all times where it watches. */
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
  /** By UID of the Machine. They outlive a wait if the next one needs them. */
  readonly #streams = new Map<string, Streams>();
  readonly #sharing = sharingPods();
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
    this.#rest(uid);
    const endsAt = endOf(until);
    if (this.#isClosed || until.length === 0 || !this.#hasRoomFor(endsAt)) return this.drop(uid);
    const stops: (() => void)[] = [];
    const vigil: Vigil = { endsAt, stop: () => stops.splice(0).forEach((stop) => stop()) };
    this.#vigils.set(uid, vigil);
    this.#count();
    const wake = (): void => this.#wake(uid, vigil, advance);
    const waiting = { uid, workload, vigil, stops, wake };
    for (const ending of until) if (ending.kind === 'time') this.#awaitTime(ending.at, waiting);
    void this.#watch(until.filter(isWatched), waiting);
    stops.push(this.#options.clock.after(this.#options.lifetimeSeconds * 1_000, () => this.#end(uid, vigil)));
  }

  drop(machineUid: string): void {
    const vigil = this.#vigils.get(machineUid);
    if (vigil !== undefined) this.#end(machineUid, vigil);
    else this.#closeStreams(machineUid);
  }

  /** Drops everything and keeps nothing from now on: the instance is going away. */
  close(): void {
    this.#isClosed = true;
    for (const uid of [...this.#vigils.keys(), ...this.#streams.keys()]) this.drop(uid);
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
    this.#closeStreams(uid);
  }

  #closeStreams(uid: string): void {
    this.#streams.get(uid)?.close();
    this.#streams.delete(uid);
  }

  /** The wait is over. A step runs, and may wait again. */
  #rest(uid: string): void {
    const vigil = this.#vigils.get(uid);
    if (this.#vigils.delete(uid)) this.#count();
    vigil?.stop();
    this.#streams.get(uid)?.rest(() => this.#streams.delete(uid));
  }

  #count(): void {
    this.#metrics.replace('wakeUpsKept', [{ labels: {}, value: this.#vigils.size }]);
  }

  #wake(uid: string, vigil: Vigil, advance: Advance): void {
    if (this.#vigils.get(uid) !== vigil) return;
    this.#rest(uid);
    this.#metrics.count('wakeUps', {});
    this.#options.wake(advance);
  }

  #awaitTime(at: Instant, { stops, wake }: Waiting): void {
    const { clock } = this.#options;
    const wakeInTime = (): void => {
      this.#metrics.observe('dueLag', { by: 'wake-up' }, (clock.now() - at) / 1_000);
      wake();
    };
    stops.push(clock.after(Math.max(0, at - clock.now()), wakeInTime));
  }

  async #watch(endings: readonly Watched[], waiting: Waiting): Promise<void> {
    const { uid, vigil, stops, wake } = waiting;
    const found = await Promise.all(endings.map((ending) => this.#watchesFor(ending, waiting)));
    if (this.#vigils.get(uid) !== vigil) return;
    const wakeToList = (): void => void stops.push(this.#relisting.inTurn(uid, wake));
    try {
      this.#keepStreams(uid, found.flat(), { wake, wakeToList });
    } catch (error) {
      this.#closeStreams(uid);
      this.#options.log.debug('Wake-up not kept', { why: String(error) });
    }
  }

  /** The watches that show the end of a wait, each with the API that it goes to. */
  async #watchesFor(ending: Watched, { workload }: Waiting): Promise<Wanted[]> {
    const isManagement = ending.kind === 'object-gone' && ending.side === 'management';
    try {
      const source = isManagement
        ? { kubernetes: this.#options.management }
        : workload && (await this.#sourceIn(workload));
      if (source === undefined) return [];
      const side = isManagement ? 'management' : 'workload';
      return watches(ending).map((watching) => ({ source, side, watching }));
    } catch (error) {
      this.#options.log.debug('Wake-up not kept', { why: String(error) });
      return [];
    }
  }

  #keepStreams(uid: string, wanted: readonly Wanted[], waking: Waking): void {
    if (wanted.length === 0) return this.#closeStreams(uid);
    const { clock, lifetimeSeconds } = this.#options;
    const streams = this.#streams.get(uid) ?? new Streams(clock, lifetimeSeconds * 1_000);
    this.#streams.set(uid, streams);
    streams.keep(wanted, waking);
  }

  async #sourceIn(workload: WorkloadRef): Promise<Source> {
    const kubernetes = this.#sharing(await this.#options.workloads.of(workload));
    return { kubernetes, gone: (...what) => this.#options.gone?.(workload, ...what) };
  }
}

/** The soonest of its times, or before all times where anything is watched for. */
const endOf = (until: WaitsFor[]): Instant =>
  until.some(isWatched)
    ? -Infinity
    : Math.min(...until.flatMap((ending) => (ending.kind === 'time' ? [ending.at] : [])));

/** For instances that keep none: the sweep alone finishes every deletion. */
export const noWakeUps: WakeUps = { keep: () => undefined, drop: () => undefined };
