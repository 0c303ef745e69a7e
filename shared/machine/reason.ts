import { type PhaseReason, phases, reasonsOf } from './phase.ts';

/** Reasons of no phase. */
const generalReasons = [
  'Deleting',
  'InternalError',
  'Paused',
  /** Something the Machine API demands of every Machine is missing on it. */
  'FailedValidate',
  /** It is the Machine that phaseout itself runs on. */
  'RunsPhaseout',
] as const;

/** Why a deletion is where it is, in Cluster API's words where it has one. Users' alerts read them: they do not change. */
export type Reason = (typeof generalReasons)[number] | PhaseReason;

/** All reasons. */
export const reasons: readonly Reason[] = [...generalReasons, ...phases.flatMap(reasonsOf)];

/** How a phase was passed; kept in the checkpoint because the world cannot tell it afterwards. */
export type PhaseOutcome =
  /** Its work was done, or there was none. */
  | 'done'
  /** The Machine's annotation excludes it. */
  | 'excluded'
  | 'timed-out'
  /** Not for this Machine: its Node may not be touched, or its infrastructure has already gone. */
  | 'not-applicable';

/** How a phase was left: passed, or for an earlier one that has to be done again. */
export type PhaseExit = PhaseOutcome | 'returned';

/** How the refusal of the very last write begins; its words follow. */
export const finalizerStays = 'the finalizer could not be removed';
