import type { RefusalCause } from '../kubernetes/client.ts';
import type { HookEnding, HookPlace } from './hook-call.ts';
import type { MachineRef } from './machine.ts';
import type { Phase } from './phase.ts';
import type { PhaseExit, Reason } from './reason.ts';
import type { TraceContext } from './trace-context.ts';

/** Names a Pod by namespace, name and UID. */
export interface PodName {
  namespace: string;
  name: string;
  uid: string;
}

/** Who has to remove a hook, by its name, as far as the Machine says so. */
export type HookOwners = Readonly<Record<string, string>>;

/** Something that is now true and saved, for anyone who listens. `seq` is the checkpoint's. */
export type Fact = { machine: MachineRef; phase: Phase; seq: number } & (
  | { kind: 'started' }
  /** `isFollowed`: the API's own controller has gone on, perhaps to a stage that it was in before. */
  | { kind: 'advanced'; from: Phase; as: PhaseExit; message: string; isFollowed?: true }
  | { kind: 'blocked'; reason: Reason; message: string }
  | { kind: 'failed'; reason: Reason; message: string; error: string }
  | { kind: 'hook-waiting'; point: 'pre-drain' | 'pre-terminate'; hooks: string[]; owners: HookOwners }
  | { kind: 'hook-late'; message: string }
  /** The turn of a DeletionHook has ended. `hook`: `namespace/name`. */
  | { kind: 'hook-ended'; hook: string; place: HookPlace; as: HookEnding; message: string }
  | { kind: 'pod-evicted'; pod: PodName }
  | {
      kind: 'pod-refused';
      pod: PodName;
      cause: RefusalCause;
      text: string;
      budget?: string;
      explanation?: string;
    }
  /** A DrainPolicy has its Deployment restarted, or has it deleted. `since`: of the cause (RFC 3339). */
  | {
      kind: 'pod-unblocked';
      pod: PodName;
      action: 'RolloutRestart' | 'Delete';
      policy: string;
      cause: RefusalCause;
      since: string;
      message: string;
      deployment?: string;
    }
  | { kind: 'completed' }
);

/** "Run the next step of this phase". One handler hands it to the next, and intake and sweep ask for it. */
export interface Advance {
  machine: MachineRef;
  phase: Phase;
  /** Of the checkpoint this was said at; an older one is a repeat. */
  seq: number;
  /** The Machine's version when this was said, so that who has just seen it need not read it again. */
  resourceVersion?: string;
  /** It follows an answer of a function, which no version of the Machine shows. */
  isAnswer?: true;
  /** Of the deletion, so that its steps are one trace. */
  trace?: TraceContext;
}

/** An event that the Broker gave up, as far as it says what happened. */
export interface DeadLetter {
  id: string;
  type: string;
  source: string;
  /** It tells us something, asks us for something, tells others, belongs to a DeletionHook, or is none of ours. */
  kind: 'in' | 'command' | 'fact' | 'hook' | 'other';
  /** URL of the subscriber that did not take it. */
  destination: string | undefined;
  /** The last attempt's. */
  status: number | undefined;
  /** What the subscriber said. */
  answer: string | undefined;
  /** The Machine that the event is about. */
  machine: MachineRef | undefined;
  /** Of a call of a DeletionHook: the token of its turn. No log has it. */
  answerTo?: string;
  /** Its function would not have taken it. A Trigger also gives up what it does not select. */
  isNoLoss?: true;
}
