import { lastingText } from '../text/stable-text.ts';
import type { Reason } from './reason.ts';

/** What the Machine, its users and its history are told. The sentences are derived from data by the deciders. */
export interface Report {
  reason: Reason;
  message: string;
  /**
   * Set when something failed, not when something is waited for. It is the full text for conditions and Events, in the API's
   * own words.
   */
  error?: string;
  /** The same with verb, path, host and code, for the log and the history, where that says more. */
  detail?: string;
  /** Set when nothing failed, but somebody refuses what is waited for, or it takes longer than one attempt should. */
  isHeldUp?: boolean;
  /** Lines of our own that facts have after the message; conditions and Events have the peer's lines alone. */
  remarks?: readonly string[];
  /** DeletionHooks that it waits for, as `namespace/name`. */
  hooks?: readonly { name: string; contact?: string }[];
  /** Set when it cannot be known whether the phase applies at all. No time limit counts from that. */
  isUndecided?: boolean;
}

/** What facts and the history say: the peer's lines, and ours after them. */
export const withRemarks = ({ message, remarks = [] }: Pick<Report, 'message' | 'remarks'>): string =>
  [message, ...remarks].join('\n');

const mark = '|remarks|';

/** The part of what was told that no status has. */
const remarksIn = ({ remarks = [] }: Pick<Report, 'remarks'>): string =>
  remarks.length === 0 ? '' : `${mark}${remarks.join('\n')}`;

/**
 * Whether lines of ours are said, or were said last. The status does not show them. Only the last report says whether they
 * are news, or have ended.
 */
export const isAboutRemarks = ({ remarks = [] }: Report, toldLast: string | undefined): boolean =>
  remarks.length > 0 || toldLast?.includes(mark) === true;

/**
 * What a report tells, at the checkpoint with this `seq`: the same key is no news. Of an error it has what lasts, for it may
 * have other numbers and IDs at each attempt.
 */
export function reportKey(seq: number, report: Omit<Report, 'reason'> & { reason: string }): string {
  const { reason, message, error } = report;
  const text = error === undefined ? message : lastingText(`${message}|${error}`);
  return `${seq}|${reason}|${text}${remarksIn(report)}`;
}

/**
 * A Kubernetes Event to be written once per fact. The reasons are those of the Machine APIs' own controllers, where
 * these have one.
 */
export interface MachineEvent {
  type: 'Normal' | 'Warning';
  reason:
    | 'FailedDrainNode'
    | 'SuccessfulDrainNode'
    | 'FailedWaitForVolumeDetach'
    | 'NodeVolumesDetached'
    | 'FailedDeleteNode'
    | 'DrainBlocked'
    | 'DrainProceeds'
    | 'DrainRequeued'
    | 'DrainSucceeded'
    | 'DrainSkipped'
    | 'Deleted'
    | 'FailedValidate'
    | 'FailedCreate'
    | 'FailedUpdate'
    | 'ReconcileError'
    | 'FailedDelete'
    | 'DeletionRefused'
    | 'DeletionLate'
    | 'CheckpointUnusable'
    | 'NodeOfAnotherServer'
    | 'NodeUnknown'
    | 'HookTakenOff'
    | 'HookLate'
    | 'DrainHeldUp'
    | 'DeletionHeld'
    | 'RolloutRestarted'
    | 'PodDeleted'
    | 'HookFailed'
    | 'HookSilent'
    | 'HookOver';
  message: string;
  /** The object that it is about, where that is another one than the Machine, in its namespace. */
  about?: { apiVersion: string; kind: string; name: string; uid: string };
  /** The controller in whose name it is told; `machine-controller` when absent. */
  component?: string;
}

type MakeEvent = (reason: MachineEvent['reason'], message: string) => MachineEvent;

/** An Event of type Normal. */
export const normal: MakeEvent = (reason, message) => ({ type: 'Normal', reason, message });
/** An Event of type Warning. */
export const warning: MakeEvent = (reason, message) => ({ type: 'Warning', reason, message });

/** The Events of a decision, which has none at all where there is nothing to tell. */
export const withEvents = (events: MachineEvent[]): { events?: MachineEvent[] } =>
  events.length === 0 ? {} : { events };
