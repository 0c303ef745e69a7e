import type { DrainStage } from '../drain/node.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { Phase } from '../machine/phase.ts';
import type { Reason } from '../machine/reason.ts';
import type { MachineEvent } from '../machine/report.ts';
import type { OwnNodeRef } from '../phase/snapshot.ts';
import type { Instant, Stopwatch } from '../time/clock.ts';
import type { LruMap } from './lru-map.ts';

/** What an instance remembers of one Machine. Each field has an owner: the file that is named with it. */
export interface MachineNotes {
  /** As last read, or as a write of ours was answered. `age` starts when the read began. */
  seen?: { raw: KubeObject; age: Stopwatch } | undefined;
  /** The versions that writes of this instance have made (`own-writes.ts`). */
  ownWrites?: readonly string[] | undefined;
  /** By UID of the Pod: it stands in for a store that does not answer. */
  pods?: LruMap<PodRecord> | undefined;
  /** The last report that was told (`told.ts`), and the last entry of the history. */
  told?: { key: string; age: Stopwatch } | undefined;
  noted?: string | undefined;
  /** Where the API's own controller was when it was followed last. */
  stage?: Phase | undefined;
  /**
   * What was told of a deletion that is only watched (`follow/told.ts`), and when it was looked at last. `isLost`: the store,
   * by which other instances know, was away then.
   */
  watched?: { told: WatchedReport; age: Stopwatch; isLost: boolean } | undefined;
  /** An API wants to be left alone about its Node (`follow/on-node.ts`): `why`, as it was told. */
  nodeRest?: { age: Stopwatch; milliseconds: number; why: string } | undefined;
  /** That its end was told, of a deletion that was followed. An event alone says so: it may be there all the same. */
  isEndTold?: boolean | undefined;
  /** That its deletion waits until others have come further was said (`runtime/turn.ts`). */
  waitsForTurn?: boolean | undefined;
  /** The requeue that this instance has set, or would have set if there had not been a sooner one; at which checkpoint. */
  requeue?: { at: Instant; seq: number } | undefined;
  /** The last writes of its status (`status-writes.ts`). */
  statusWrites?: readonly StatusWrite[] | undefined;
  /** Since the API server refused a checkpoint or a finalizer, and that was told. */
  refused?: Stopwatch | undefined;
  /** Events that may not be written (`unsent-events.ts`). */
  unsentEvents?: UnsentEvents | undefined;
  /** How often its Node could not be looked for (`node-search.ts`). */
  nodeSearch?: NodeSearch | undefined;
  /** The Node that this instance has judged to be the Machine's own. */
  ownNode?: OwnNodeRef | undefined;
  /** Its Node was cordoned then. */
  cordon?: { node: string; uid: string; age: Stopwatch } | undefined;
  /** What its Node shows of the drain (`write/drain-told.ts`), or that it may not. */
  drainTold?: { stage: DrainStage; age: Stopwatch } | 'refused' | undefined;
  /** Its provider wants to be left alone about its deletion. */
  rest?: Rest | undefined;
  /** What its provider has done for it while it lives (`provisioned.ts`). */
  provider?: ProviderAnswer | undefined;
  providerFailures?: { wish: string; failures: number } | undefined;
}

/** Where a deletion is that is only watched, as it was told last. */
export interface WatchedReport {
  phase: Phase;
  /** When it was first seen there. */
  since: Instant;
  /** What held it, in the words that were told; empty where nothing was. */
  holds: string;
}

/** `no-op`: accepted, and nothing changed, since an older API does not keep each field. */
export interface StatusWrite {
  outcome: 'written' | 'no-op' | 'refused';
  /** The status and the one that it replaces. Hashed: each may be long. */
  hash: string;
  /** The resourceVersion that it was meant for. */
  version: string;
  /** The reason, where the status says that something failed. */
  failure: Reason | undefined;
  age: Stopwatch;
}

/** Of the step that made them. */
interface UnsentEvents {
  seq: number;
  events: readonly MachineEvent[];
  age: Stopwatch;
}

/** How often a Node could not be looked for, and for how long that was tried. */
export interface NodeSearch {
  times: number;
  milliseconds: number;
  /** Since the last try. */
  age: Stopwatch;
}

/** The provider asked for this time, about the Machine in this generation: a changed one is another question. */
interface Rest {
  /** Started when it said so. */
  age: Stopwatch;
  milliseconds: number;
  generation: number;
  message: string;
}

/** `isDone`: it has not said when there is more to report. */
export interface ProviderAnswer {
  /** What the Machine asked for. */
  wish: string;
  age: Stopwatch;
  /** It is not asked again within this time. */
  milliseconds: number;
  isDone: boolean;
}
