import type { Reason } from './reason.ts';

/** What the Machine, its users and its history are told. The sentences are derived from data by the deciders. */
export interface Report {
  reason: Reason;
  message: string;
  /** Set when something failed (as opposed to is being waited for): the full text, for conditions and Events, in the API's own words. */
  error?: string;
  /** The same with verb, path, host and code, for the log and the history, where that says more. */
  detail?: string;
  /** Set when nothing failed, but somebody refuses what is waited for, or it takes longer than one attempt should. */
  isHeldUp?: boolean;
  /** Lines of our own that facts have after the message; conditions and Events have the peer's lines alone. */
  remarks?: readonly string[];
  /** Set when it cannot be known whether the phase is to be tried at all: no time limit counts from that. */
  isUndecided?: boolean;
}
