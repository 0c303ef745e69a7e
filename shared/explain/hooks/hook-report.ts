import type { HookPoint } from '../../dialects/dialect.ts';
import type { Described } from '../../hooks/described.ts';
import type { MachineRef } from '../../machine/machine.ts';
import type { FunctionRow } from './functions.ts';

/** Whether a hook holds the deletion of its Machine now, and since when. Times are RFC 3339. */
export type Holding =
  /** The Machine is not being deleted. */
  | { kind: 'living' }
  /** `isAtMost`: nothing says since when, but it is no longer than since then. */
  | { kind: 'holds'; since: string; isAtMost: boolean }
  /** Something else is what the deletion waits for. */
  | { kind: 'no'; why: string };

/** One hook on one Machine. */
export interface HookRow {
  machine: MachineRef;
  point: HookPoint;
  /** The key of the annotation, or the name in the list. */
  hook: string;
  /** Absent where it names none. */
  owner?: string;
  holding: Holding;
  /** Who has put it on, and by when; absent where no manager owns it. */
  set?: { manager: string; by: string };
  /** What a DeletionHook says of it; absent where none describes it. */
  described?: Described;
  /** The template that puts it on: `MachineSet fleet/worker`. */
  template?: string;
}

/** Something that will not do what its author has meant, or holds without a sign of life. */
export interface HookWarning {
  kind: 'unmatched-key' | 'in-template' | 'silent-owner' | 'unreadable' | 'asks-nothing';
  /** What it is about: `Machine fleet/worker-1`. */
  object: string;
  hook: string;
  message: string;
}

/** Every hook there is. */
export interface HookReport {
  rows: readonly HookRow[];
  /** The functions that Machines wait for; absent where none does. */
  functions?: readonly FunctionRow[];
  warnings: readonly HookWarning[];
}
