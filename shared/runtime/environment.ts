import type { Actuator } from '../actuator/port.ts';
import type { Turn } from '../async/adaptive-limit.ts';
import type { Pace } from '../async/pace.ts';
import type { KeyedQueue } from '../async/under-way.ts';
import type { Cache } from '../cache/cache.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Key, Kubernetes, WorkloadClusters, WorkloadRef } from '../kubernetes/client.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import type { WaitsFor } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import type { Requeue, Store } from '../store/port.ts';
import type { Clock, Instant } from '../time/clock.ts';
import type { PendingEvents } from './heard-meanwhile.ts';
import type { Metrics } from './metrics.ts';
import type { Ticks } from './ping-schedule.ts';
import type { Tracing } from './tracing.ts';

/** The instance's log: a constant message with variable fields. */
export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** A log whose lines all carry these fields too. */
  child(fields: object): Log;
}

interface Settings {
  /** Seconds after which a Machine is looked at again where a command, or an instance, was lost. */
  requeueAfterSeconds: number;
  considerVolumeAttachments: boolean;
  nodeConditions: boolean;
  /** Of deletions that are only watched, whether Events tell what holds them. */
  observeEvents: boolean;
  /** Whose Machines are looked after; those of all namespaces if empty. */
  namespaces: readonly string[];
  /** Value the Machine's watch-filter label must have; empty accepts every Machine. */
  watchFilter: string;
  /** Name of the Node that this instance runs on; empty where it is not known. */
  ownNode: string;
  /** The Lease that says that this installation lives; undefined where none is renewed. */
  lease?: Key | undefined;
}

/** Keeps watching, after a request was answered, for what would end a Machine's wait. May lose everything. */
export interface WakeUps {
  keep(advance: Advance, until: WaitsFor[], workload: WorkloadRef | undefined): void;
  drop(machineUid: string): void;
}

/** The claim of a step on its Machine, all instances counted: see `reconcile/claim.ts`. */
export interface Requeues {
  /** Sets when to look next and ends the claim. Whether it was set, and whether one that watches has lost its watch to us. */
  requeue(look: Requeue, standing: Advance): Promise<{ isSet: boolean; isAlone: boolean }>;
  /** What was scheduled before this step counts no more. */
  forgetRequeue(): void;
  /** Nothing of the Machine is to stay in the store. */
  leave(): Promise<void>;
}

/** How many steps an instance takes at once, by what the API servers can do. */
interface LoadLimit {
  /** Runs when its turn has come. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
  /** How many more may wait for their turn here. */
  room(): number;
  /** Takes in what comes, a few at a time: the others wait, instead of a thousand calls of the store for one another. */
  arrive<T>(work: () => Promise<T>): Promise<T>;
}

/** All that a step needs from outside; one per instance. */
export interface Environment {
  management: Kubernetes;
  workloads: WorkloadClusters;
  /** The provider of Machine APIs that have no infrastructure objects. */
  actuator: Actuator;
  store: Store;
  clock: Clock;
  random: () => number;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  cache: Cache;
  machineQueue: KeyedQueue;
  pendingEvents: PendingEvents;
  /** Absent where any number of steps may be taken at once. */
  loadLimit?: LoadLimit;
  /** The phases that a step may go on with once it has passed its own. Without them each takes a step of its own. */
  phaseOf?: (name: Phase) => AnyPhase;
  /** Of the hooks that are put on living Machines. */
  registrations: Pace;
  wakeUps: WakeUps;
  ticks: Ticks;
  dialects: readonly Dialect[];
  settings: Settings;
  /** Name of this instance, for the history. */
  instance: string;
  /** When it began. */
  bornAt: Instant;
  /** What keeps other instances from a step of the Machine; absent outside of steps. */
  stepClaim?: Requeues;
  /** Counts the request that led here for a workload cluster; throws where that has its share. Absent where none did. */
  reserveCapacity?: (workload: string) => void;
}

/** What a step leaves to be told: the next command, and what has become true. */
export interface StepResult {
  next?: Advance;
  facts: readonly Fact[];
}
