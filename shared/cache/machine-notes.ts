import type { DrainStage } from '../drain/node.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';
import type { MachineEvent } from '../machine/report.ts';
import type { OwnNodeRef } from '../phase/snapshot.ts';
import type { Instant, Stopwatch } from '../time/clock.ts';
import type { LruMap } from './lru-map.ts';

/** What an instance remembers of one Machine. Each field has an owner: the file that is named with it. */
export interface MachineNotes {
  /** As last read, or as the answer to our write. `age` starts when the read began. */
  seen?: { raw: KubeObject; age: Stopwatch } | undefined;
  /** The versions that writes of this instance have made (`cache.ts`). */
  ownWrites?: readonly string[] | undefined;
  /** By UID of the Pod. They replace a store that does not answer. */
  pods?: LruMap<PodRecord> | undefined;
  /** Turns of DeletionHooks, by turn. They replace a store that does not answer (`hook-records.ts`). */
  hooks?: ReadonlyMap<string, HookRecord> | undefined;
  /** What this instance has reported of the Machine last, by channel. */
  reported?: Reported | undefined;
  /** Where the API's own controller was at the last look. */
  stage?: Phase | undefined;
  /**
   * The last report of a deletion that is only watched (`follow/look.ts`), and the age of that look. `isLost`: the
   * store was away then, so other instances do not know it.
   */
  watched?: { told: WatchedReport; age: Stopwatch; isLost: boolean } | undefined;
  /** An API asked for a pause about its Node (`cache.ts`). `why`: as it answered. */
  nodeRest?: { age: Stopwatch; milliseconds: number; why: string } | undefined;
  /** Whether the end of a followed deletion is recorded. Only an event showed that end, so the Machine may still be there. */
  isEndTold?: boolean | undefined;
  /** Whether this instance has asked which DeletionHooks want our hook on it while it lives (`intake/register.ts`). */
  isJudged?: boolean | undefined;
  /** Whether the log has it that the deletion waits for its turn (`turns/turn.ts`). */
  waitsForTurn?: boolean | undefined;
  /** The requeue that this instance has set, or would have set without a sooner one. `seq`: its checkpoint. */
  requeue?: { at: Instant; seq: number } | undefined;
  /** How often the search for its Node failed (`cache.ts`). */
  nodeSearch?: NodeSearch | undefined;
  /** The Node that this instance has judged to be the Machine's own. */
  ownNode?: OwnNodeRef | undefined;
  /** Its Node, and since when it is known to be cordoned. */
  cordon?: { node: string; uid: string; age: Stopwatch } | undefined;
  /** Its provider asked for a pause in its deletion. */
  rest?: Rest | undefined;
  /** What its provider has done for it while it lives (`provisioned.ts`). */
  provider?: ProviderAnswer | undefined;
  /** Of an object of our own kinds: since its status was written (`write/own-status.ts`). */
  statusTold?: Stopwatch | undefined;
  providerFailures?: { wish: string; failures: number } | undefined;
}

/** What this instance has reported of a Machine last, by channel. `ledger.ts` has the rules. */
export interface Reported {
  /** Of a wait, in the log, the history, facts and Events (see `reportKey`). */
  wait?: { key: string; age: Stopwatch } | undefined;
  /** The last entry of the history. */
  entry?: string | undefined;
  /** The last writes of its status. */
  statusWrites?: readonly StatusWrite[] | undefined;
  /** Since the API server refused a checkpoint or the removal of a finalizer, and the status shows that. */
  refused?: Stopwatch | undefined;
  /** Events that the API server forbids. */
  unsentEvents?: UnsentEvents | undefined;
  /** The stage of the drain that its Node shows, or that the API server refused it. */
  nodeConditions?: { stage: DrainStage; age: Stopwatch } | 'refused' | undefined;
}

/** `no-op`: accepted without a change, since an older API does not keep each field. */
export interface StatusWrite {
  outcome: 'written' | 'no-op' | 'refused';
  /** The status and the one that it replaces. Hashed: each may be long. */
  hash: string;
  /** The resourceVersion that it was meant for. */
  version: string;
  /** The reason, if the status shows a failure. */
  failure: Reason | undefined;
  age: Stopwatch;
}

/** Of the step that made them. */
interface UnsentEvents {
  seq: number;
  events: readonly MachineEvent[];
  age: Stopwatch;
}

/** The last report of a deletion that is only watched. */
export interface WatchedReport {
  phase: Phase;
  /** When it was first seen there. */
  since: Instant;
  /** What held it, as reported; empty if nothing did. */
  holds: string;
}

/** How often the search for a Node failed, and how long it was tried. */
export interface NodeSearch {
  times: number;
  milliseconds: number;
  /** Since the last try. */
  age: Stopwatch;
}

/** The provider asked for this pause, about this generation of the Machine. A changed Machine is another question. */
interface Rest {
  /** Since its answer. */
  age: Stopwatch;
  milliseconds: number;
  generation: number;
  message: string;
}

/** `isDone`: the provider has named no time for a further report. */
export interface ProviderAnswer {
  /** What the Machine asked for. */
  wish: string;
  age: Stopwatch;
  /** The provider is not asked again within this time. */
  milliseconds: number;
  isDone: boolean;
}
