import type { Prospect } from '../blocked/prospect.ts';
import type { GatedStep } from '../dialects/gate.ts';
import type { UnrecordedEviction } from '../drain/pod-record.ts';
import type { DrainTally } from '../drain/summary.ts';
import type { Asked } from '../hooks/asked.ts';
import type { Ended } from '../hooks/ends.ts';
import type { DueCall } from '../hooks/turn.ts';
import type { Eviction, Key, Resource, Side } from '../kubernetes/client.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { MachineEvent, Report } from '../machine/report.ts';
import type { PlaceWrite } from '../policies/choose.ts';
import type { Instant } from '../time/clock.ts';

/** What the API server tests on a Node before it changes it. Only the Machine's own has that. */
export interface NodeProof {
  providerId: string;
  /** Where the Machine names one. */
  uid?: string | undefined;
}

/** A change to the world. Each can be repeated safely, and names the UID that it means, or what only that object has. */
export type Effect =
  /** `exclusive`: only while no other control plane Node is cordoned. A Lease in this namespace keeps others away. */
  | { kind: 'cordon'; node: string; uid: string; exclusive?: { namespace: string } }
  /** Of a Node that was not read. The look goes on with the answer, or else with a read. */
  | { kind: 'cordon'; node: string; proof: NodeProof }
  /** `free`: UIDs of Pods whose budget was seen to allow a disruption. */
  | { kind: 'evict'; evictions: Eviction[]; free?: string[] }
  /** Restarts Deployments and deletes Pods, as DrainPolicies say. */
  | { kind: 'unblock'; prospects: readonly Prospect[] }
  | { kind: 'delete'; side: Side; resource: Resource; key: Key; uid: string; what: string }
  /** Asks the provider to remove the Machine's server. */
  | { kind: 'terminate' }
  /** Writes down who is asked at a place, and where their turns stand. It comes before all other effects. */
  | { kind: 'save-hooks'; asked: readonly Asked[]; ended: readonly Ended[] }
  | { kind: 'call-hooks'; calls: readonly DueCall[] }
  /** Takes places of DrainPolicies, or gives them back. Each is a conditional write. */
  | { kind: 'write-places'; as: 'take' | 'give-back'; writes: readonly PlaceWrite[] };

/** The awaited Pods have gone. By UID. */
export interface PodsGone {
  kind: 'pods-gone';
  nodeName: string;
  /** Evicted, terminating, or waited for. */
  uids: string[];
  /** Pods of the lowest order, while others wait for their end. */
  lowestOrder?: string[];
  /** Those of `uids` that may stay for long. When they end is unknown, or whether they ever do. */
  lasting?: string[];
  /** Pods whose eviction is refused. Others may delete them all the same. */
  refused?: string[];
  resourceVersion: string;
}

/** What would end a wait. Wake-ups watch for exactly these; the time is when the sweep looks in any case. */
export type WaitsFor =
  | { kind: 'hook-removed' }
  | { kind: 'unpaused' }
  | PodsGone
  | { kind: 'budget-frees'; namespace: string; name: string; resourceVersion: string }
  | {
      kind: 'volumes-detached';
      nodeName: string;
      /** Names in the Node's status.volumesAttached, as seen at `nodeVersion`. */
      attached: string[];
      nodeVersion: string;
      attachmentsVersion: string;
    }
  /** The Node has gone, or Pods may be scheduled onto it again. */
  | { kind: 'node-freed'; name: string; uid: string; resourceVersion: string }
  | { kind: 'object-gone'; side: Side; resource: Resource; key: Key; uid: string; resourceVersion: string }
  | { kind: 'time'; at: Instant };
/** What to do next, as data. `act` never advances: advancing takes evidence seen in a later look. */
export type Decision =
  | {
      kind: 'act';
      effects: Effect[];
      report: Report;
      events?: MachineEvent[];
      drain?: DrainTally;
      unrecorded?: UnrecordedEviction[];
    }
  | {
      kind: 'wait';
      until: WaitsFor[];
      report: Report;
      requeueAfterSeconds: number;
      events?: MachineEvent[];
      drain?: DrainTally;
      unrecorded?: UnrecordedEviction[];
    }
  | { kind: 'advance'; passing: PhaseOutcome; message: string; events?: MachineEvent[] }
  /** Back to an earlier phase: something has come to the Node that must go before its server. */
  | { kind: 'retreat'; to: Phase; message: string }
  /** The last one beside the API's own controller. Our hook goes, and that controller does the rest, without these steps. */
  | { kind: 'hand-over'; exclusions: readonly GatedStep[]; report: Report }
  /** The last one: the finalizer goes, by a patch that tests it. */
  | { kind: 'release'; report: Report }
  /** Not ours to act on: not deleting, our finalizer absent, filtered out. */
  | { kind: 'ignore'; why: string };

/** A decision that ends the invocation. */
export type Conclusion = Exclude<Decision, { kind: 'act' }>;

/** A decision that takes the Machine to another phase. */
export type Move = Extract<Decision, { kind: 'advance' | 'retreat' }>;

/** How the phases before `phase` were passed and when they were entered. */
export type Passed = Partial<Record<Phase, { as: PhaseOutcome; since: string }>>;
