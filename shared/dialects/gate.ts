import { type Unavailable, Undetermined, type Unread, unreadIn } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Instant } from '../time/clock.ts';

/** What was seen of an object the Machine refers to; `unseen` when this look had no need of it. */
export type Observed<T extends KubeObject = KubeObject> =
  | { kind: 'unseen' }
  /** The reading failed: neither present nor absent. `detail` is for the log, `cause` for a look that goes on without it. */
  | { kind: 'unknown'; why: string; detail?: string; retryAfterSeconds?: number; cause?: Unread }
  | { kind: 'absent' }
  | { kind: 'present'; object: T };

/** It could not be read. */
export type Unknown = Observed & { kind: 'unknown' };

/** Whether the Machine's Node may be drained and deleted, and why not. */
export type NodeDeletion = { allowed: true } | { allowed: false; why: string };

/** Whether a step applies, and as what it is passed otherwise. */
export type Gate = { allowed: true } | { allowed: false; passing: PhaseOutcome; why: string };

/** The steps that a Machine may be excluded from, or that may take too long. */
export type GatedStep = 'drain' | 'volume-detach';

export interface GateInput {
  /** `unseen` passes: the reading is only needed when nothing else decides. */
  infrastructure: Observed;
  startedAt: Instant | undefined;
  now: Instant;
}

/** What is known of an object that could not be read. It includes how long the API wants no request. */
export function unknownBy(error: Unavailable): Unknown {
  const { message, statusText: why, retryAfterSeconds } = error;
  const cause = unreadIn(error);
  return {
    kind: 'unknown',
    why,
    ...(message !== why && { detail: message }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(cause !== undefined && { cause }),
  };
}

/** Nothing can be decided without that object; `before` stands before what was the matter with it. */
export const undecidable = (
  before: string,
  { why, detail = why, retryAfterSeconds, cause }: Unknown,
): Undetermined =>
  new Undetermined(`${before}: ${detail}`, { statusText: `${before}: ${why}`, retryAfterSeconds, cause });

/** The words of Cluster API's log, which alone do not say what follows from it. */
export const noNode =
  'noderef is nil: the Machine names no Node and none is known by its providerID, so nothing is drained and no Node is deleted';
