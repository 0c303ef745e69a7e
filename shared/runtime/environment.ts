import type { Actuator } from '../actuator/port.ts';
import type { Turn } from '../async/adaptive-limit.ts';
import type { Pace } from '../async/pace.ts';
import type { KeyedQueue } from '../async/under-way.ts';
import type { BlockedAction } from '../blocked/entry.ts';
import type { Cache } from '../cache/cache.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Key, Kubernetes, WorkloadClusters, WorkloadRef } from '../kubernetes/client.ts';
import type { HookCall } from '../machine/hook-call.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Advance, Fact } from '../machine/messages.ts';
import type { Phase } from '../machine/phase.ts';
import type { WaitsFor } from '../phase/decision.ts';
import type { AnyPhase } from '../phase/definition.ts';
import type { Requeue, Store } from '../store/port.ts';
import type { Clock, Instant } from '../time/clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Ticks } from './ping-schedule.ts';
import type { Tracing } from './tracing.ts';

/** The configuration of a step. */
interface Settings {
  /** Seconds after which a Machine is looked at again if a command, or an instance, was lost. */
  requeueAfterSeconds: number;
  considerVolumeAttachments: boolean;
  nodeConditions: boolean;
  /** What DrainPolicies may do about Pods that are not let go. */
  actions: ReadonlySet<BlockedAction>;
  /** Whether Events show what holds a deletion that is only watched. */
  observeEvents: boolean;
  /** Namespaces whose Machines are looked after; all namespaces if empty. */
  namespaces: readonly string[];
  /** Value the Machine's watch-filter label must have; empty accepts every Machine. */
  watchFilter: string;
  /** Name of the Node that this instance runs on; empty if it is not known. */
  ownNode: string;
  /** The Lease that shows that this installation lives; undefined if none is renewed. */
  lease?: Key | undefined;
}

/** Keeps watching, after a request was answered, for what would end a Machine's wait. May lose everything. */
export interface WakeUps {
  keep(advance: Advance, until: WaitsFor[], workload: WorkloadRef | undefined): void;
  drop(machineUid: string): void;
}

/** When a Machine is due again, and the end of the claim of its step: `turns/claim.ts`. */
export interface Requeues {
  /**
   * Sets when to look next and ends the claim. Returns whether it was set, and whether another instance has lost its
   * watch to us.
   */
  requeue(look: Requeue, standing: Advance): Promise<{ isSet: boolean; isAlone: boolean }>;
  /** What was scheduled before this step counts no more. */
  forgetRequeue(): void;
  /** Leaves nothing of the Machine in the store. */
  leave(): Promise<void>;
}

/** The events of a Machine while a step of it waits for its turn or runs. */
export interface Pending {
  /** The resourceVersions so far. */
  readonly versions: readonly string[];
  /** Later events are for others. */
  close(): void;
}

/** Notes the events of a Machine while a step of it waits or runs: the step handles them. See `turns/pending-events.ts`. */
export interface PendingEvents {
  /** A step waits or runs from now on. */
  listen(command: Advance): Pending;
  /** Whether a step of the Machine waits or runs. */
  note(machineUid: string, resourceVersion: string | undefined): boolean;
  /** Whether this very step waits or runs. */
  noteCommand(command: Advance): boolean;
}

/** How many steps an instance takes at once, by what the API servers can do: `turns/load-limit.ts`. */
interface LoadLimit {
  /** Runs the work when its turn has come. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
  /** How many more may wait for their turn here. */
  room(): number;
  /** Begins once there is room, unless it is lost meanwhile. */
  later(machineUid: string, begin: () => void): void;
  /** Takes in a few events at a time. The others wait: a thousand would call the store at once. */
  arrive<T>(work: () => Promise<T>): Promise<T>;
}

/** The way to the functions of DeletionHooks. */
export interface HookCalls {
  /** The key of their tokens; undefined where there is none. Throws Unavailable. */
  key(): Promise<string | undefined>;
  /** Sends a call to the Broker. Throws NotDelivered. */
  send(call: HookCall): Promise<void>;
  /** Whether a Trigger brings its calls to anybody; undefined where that cannot be told. Absent without Triggers. */
  delivers?: (hook: HookCall['hook'], machine: MachineRef) => Promise<boolean | undefined>;
}

/** What a step reads and writes through, and the time. */
interface Ports {
  management: Kubernetes;
  workloads: WorkloadClusters;
  /** The provider of Machine APIs that have no infrastructure objects. */
  actuator: Actuator;
  /** Absent where no function can be asked: DeletionHooks hold there. */
  hooks?: HookCalls;
  store: Store;
  cache: Cache;
  clock: Clock;
  random: () => number;
}

/** Where an instance shows what it does. */
interface Telemetry {
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  /** Name of this instance, for the history. */
  instance: string;
}

/** What keeps steps out of each other's way, in this instance and in all. */
interface Coordination {
  machineQueue: KeyedQueue;
  pendingEvents: PendingEvents;
  /** Absent if any number of steps may run at once. */
  loadLimit?: LoadLimit;
  /** The pace of the hooks that are put on living Machines. */
  registrations: Pace;
  wakeUps: WakeUps;
  ticks: Ticks;
  /** When this instance began. */
  bornAt: Instant;
  /** What keeps other instances from a step of the Machine; absent outside of steps. */
  stepClaim?: Requeues;
  /** Counts the request that led here for a workload cluster; throws if that has its share. Absent without a request. */
  reserveCapacity?: ((workload: string) => void) | undefined;
}

/** All that a step needs from outside; one per instance. */
export interface Environment extends Ports, Telemetry, Coordination {
  settings: Settings;
  dialects: readonly Dialect[];
  /** The phases that a step may go on with once it has passed its own. Without this each phase takes a step of its own. */
  phaseOf?: (name: Phase) => AnyPhase;
}

/** What a step leaves to publish: the next command, and the facts. */
export interface StepResult {
  next?: Advance;
  facts: readonly Fact[];
}
