import type { Instant } from '../time/clock.ts';
import type { MachineRef } from './machine.ts';
import type { Phase } from './phase.ts';
import type { TraceContext } from './trace-context.ts';

/** Where in a deletion the function of a DeletionHook is asked. */
export const hookPlaces = ['PreDrain', 'PreTerminate'] as const;
/** Where a DeletionHook asks. */
export type HookPlace = (typeof hookPlaces)[number];

/** The phase at which a DeletionHook of a place is asked. */
export const pointOf = {
  PreDrain: 'pre-drain',
  PreTerminate: 'pre-terminate',
} as const satisfies Record<HookPlace, Phase>;
/** The place of a hook that holds at a phase. */
export const placeOf = { 'pre-drain': 'PreDrain', 'pre-terminate': 'PreTerminate' } as const;

/** `move-traffic` of `pre-drain.delete.hook.machine.cluster.x-k8s.io/move-traffic`. */
export const shortHook = (hook: string): string => hook.slice(hook.indexOf('/') + 1);

/** All that a function may say of its work. Nothing else lets a Machine pass. */
export const hookStates = ['Done', 'Working', 'Failed'] as const;
/** What a function said of its work. */
export type HookState = (typeof hookStates)[number];

/** How a turn ends. A function, a time limit, a person, or the Machine API itself ends it. */
export const hookEndings = ['Done', 'Proceeded', 'Passed', 'Bypassed'] as const;
/** One of these endings. */
export type HookEnding = (typeof hookEndings)[number];

/** The question to the function of a DeletionHook: its turn has come for this Machine. */
export interface HookCall {
  /** The same for the same call of a turn: a repeat is known by it. */
  id: string;
  hook: { namespace: string; name: string };
  /** The token of the turn. An answer counts only with it. */
  answerTo: string;
  place: HookPlace;
  /** `labels`: only those that the DeletionHook asks for. */
  machine: MachineRef & { kind: string; providerID?: string; labels: Readonly<Record<string, string>> };
  node?: { name: string; uid: string };
  /** Name of the Cluster that the Machine belongs to. */
  cluster?: string;
  begins: Instant;
  /** When the turn is over without an answer, if it ever is. */
  deadline?: Instant;
  /** Grows with the calls of a turn, from 1. */
  attempt: number;
  /** What the function said last in this turn. */
  lastMessage?: string;
  trace?: TraceContext;
}

/** What a function said, as far as it can be read. */
export interface HookAnswer {
  answerTo: string;
  state: HookState;
  /** Text of one line, at most 1 KiB. */
  message?: string;
  retryAfterSeconds?: number;
}
