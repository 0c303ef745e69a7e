import type { EvictionRecord, PodRecord } from '../drain/pod-record.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Instant } from '../time/clock.ts';

/**
 * When a Machine is due. One per Machine; the earliest time wins until it is taken. A step that schedules the next one
 * after that time has taken it. So a sweep may pass it on first and drop it afterwards.
 */
export interface Requeue {
  machine: MachineRef;
  at: Instant;
  /** How often in a row the Machine could not be read when the look was due. For readers of the table. */
  failures: number;
  /**
   * Only in case that a requested step, or the turn of a living Machine, never ends. Otherwise that step or turn
   * schedules the next look.
   */
  isProvisional?: boolean;
  /** For a Machine that is being deleted: what was asked for while it lived counts no more. Older versions never say so. */
  isOfDeletion?: boolean;
}

/** What tells a Machine's looks apart. A look that a step has asked for may have the time of a provisional one. */
export type WhichLook = Pick<Requeue, 'at' | 'isProvisional' | 'isOfDeletion'>;

/** That an instance takes a step of a Machine: until when, by its own clock. */
export interface Claim {
  machine: MachineRef;
  /** Name of the instance. */
  by: string;
  at: Instant;
  until: Instant;
}

/** What stood at a Machine as a claim was made. */
export interface BeforeClaim {
  look?: Requeue;
  /** The resourceVersions that the last steps have written or decided on. */
  ours: readonly string[];
  /** What was heard during a step that never came to its end. */
  news: readonly string[];
}

/** `held`: another instance has it. */
export type Claimed = { kind: 'taken'; before: BeforeClaim } | { kind: 'held' };

/** What a step leaves at its end. */
export interface Release extends Pick<Claim, 'machine' | 'by'> {
  /** When to look next; without one nothing of the item stays. */
  look?: Requeue;
  ours: readonly string[];
}

/** `news`: what was heard meanwhile, see `hear`. `lost`: it was not the claim of this instance any more, and nothing was written. */
export type Released = { kind: 'released'; news: readonly string[] } | { kind: 'lost' };

/** One line of a deletion's history, kept after the Machine is gone: who decided what, why and when. */
export interface HistoryEntry {
  at: Instant;
  /** Rises with each entry of a Machine (9 before 10). A repeated write is the same entry, and the first one stays. */
  id: string;
  phase: string;
  what: 'started' | 'acted' | 'waited' | 'advanced' | 'halted' | 'completed';
  reason: string;
  message: string;
  /** Which instance decided. */
  by: string;
  /** The Node of the Machine, where it was known. */
  node?: string;
}

/** The store did not answer. Deletions go on without it. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}

/**
 * Memory, not law: every method may throw StoreUnavailable and the deletion goes on with default back-off. Items
 * expire some time after the deletion (time to live), and readers ignore what has expired.
 */
export interface Store {
  /** Adds to each Pod's record; an `accepted` or `gone` outcome is never turned back into `refused`. */
  recordEvictions(machine: MachineRef, evictions: EvictionRecord[]): Promise<void>;
  podRecords(machineUid: string): Promise<PodRecord[]>;
  /** Adds to the record of a DeletionHook's turn: a call, or an answer. An answer Done stays. */
  recordHook(machine: MachineRef, record: HookRecord): Promise<void>;
  hookRecords(machineUid: string): Promise<HookRecord[]>;
  /**
   * Sets when to look at a Machine next, unless an earlier look is still to come. A provisional one that is still to
   * come always gives way. No provisional look takes the place of one that is not. First of all, a look of a deletion
   * takes the place of one of the living Machine. The reverse never happens. Whether it was set.
   */
  schedule(look: Requeue): Promise<boolean>;
  /** The looks that are due at `now`, soonest first, at most `limit`. Never scans. */
  due(now: Instant, limit: number): Promise<Requeue[]>;
  /** Forgets the Machine's next look; with `look`, only if it is still that one. */
  unschedule(machineUid: string, look?: WhichLook): Promise<void>;
  /**
   * Takes a Machine for a step, unless another instance has it: until its claim is released or over. Also sets the
   * provisional look at the end of the claim. An instance that dies in mid-step delays its Machine by no more.
   */
  claim(claim: Claim): Promise<Claimed>;
  /** In one write: ends the claim, sets or forgets the next look, and notes the resourceVersions that are no news. */
  release(release: Release): Promise<Released>;
  /**
   * Notes news of a Machine: it is at this resourceVersion, or it needs a look for another reason. `noted`: an instance
   * takes a step of it just now, and hears of it as the step ends. `echo`: that version was written, or decided on, by
   * a step before. Otherwise it is for the caller to see to.
   */
  hear(machineUid: string, resourceVersion: string | undefined): Promise<'noted' | 'echo' | 'free'>;
  appendHistory(machine: MachineRef, entries: HistoryEntry[]): Promise<void>;
  history(machineUid: string): Promise<HistoryEntry[]>;
  /** False while the store does not answer and its answers are therefore made up; absent means it always answers. */
  isAvailable?(): boolean;
}

/** A store that answers empty and writes nothing while it is out of reach. `isAvailable` says which it was. */
export interface ForgivingStore extends Store {
  /** False from a failed call until one succeeds: `due` was not answered, so the Machines have to be listed. */
  isAvailable(): boolean;
}
