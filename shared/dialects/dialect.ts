import type { ActuatorRefusal } from '../actuator/port.ts';
import type { DaemonSetOwners } from '../drain/filters.ts';
import type { JsonPatchOperation, Resource, WorkloadRef } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { HookPlace } from '../machine/hook-call.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { MachineEvent, Report } from '../machine/report.ts';
import type { Instant } from '../time/clock.ts';
import type { OurHooks } from './beside/hook.ts';
import type { Registration } from './beside/registration.ts';
import type { Gate, GatedStep, GateInput, NodeDeletion } from './gate.ts';
import type { Hold } from './hold.ts';
import type { Moment } from './moment.ts';
import type { PeerStage } from './peer-stage.ts';
import type { ClusterState, Place, StatusInput } from './status-input.ts';

/** Where in a deletion hooks can hold a Machine. */
export type HookPoint = 'pre-drain' | 'pre-terminate';

/** How Nodes are cordoned and Pods judged, where the Machine APIs differ. */
interface DrainTraits {
  /** Drain labels on Pods count always, or only where MachineDrainRules are served. */
  labels: 'always' | 'with-rules';
  daemonSets: DaemonSetOwners;
  /** A control plane Node is not cordoned while another one is. */
  cordonsOneControlPlaneNodeAtATime: boolean;
  /** On an unreachable Node, evict Pods that are already terminating again: their grace period ends. */
  hurriesPodsOfUnreachableNodes: boolean;
  /** Where phaseout itself runs, beside the API's own controller: that one evicts the Pods there. */
  ownNamespace?: string | undefined;
  /** What is said of an unread Node. Without a sentence of the API's own controller, `why` stands alone. */
  unreadNode: (name: string, why: string) => string;
}

/** How a Machine's server ends. */
export type Termination =
  /** Its infrastructure object is deleted. */
  | { by: 'object' }
  /**
   * The provider is asked. The server is gone when the provider says that it does not exist. With `accepted` it is gone once
   * the delete is accepted.
   */
  | {
      by: 'actuator';
      goneWhen: 'absent' | 'accepted';
      /** A refusal that does not hold the deletion up: there never was a server. */
      forgives(machine: Machine, refusal: ActuatorRefusal): boolean;
    };

/** Which Machines count as control plane members of a Machine's cluster. */
export interface ControlPlaneMembers {
  labelSelector: string;
  /** Whether the selector finds this Machine of the cluster. */
  isMember: (machine: KubeObject) => boolean;
  counts(member: KubeObject): boolean;
}

/** Where all Machines are that may have a Node of the Machine's cluster. */
export interface ClusterMachines {
  /** All namespaces if absent. */
  namespace?: string;
  labelSelector?: string;
}

/** How phaseout works beside an API's own controller. */
export interface Beside {
  hooks: OurHooks;
  /** Of our hooks. */
  owner: string;
  skipPeerDrain: SkipPeerDrain;
  /** The API's own controller cordons the Node before its own drain. */
  cordonsAgain: boolean;
  /** That controller looks once a second at most. Each write of ours takes one of its looks. */
  isDelayedByWrites: boolean;
  /** What a living Machine lacks at a place, or has too much. `isAsked`: whether something is asked for it there. */
  register: (machine: Machine, place: HookPlace, isAsked: boolean) => Registration;
  /** Whether a deletion began before our hook of the place was on the Machine, and should not have. */
  isLate: (machine: Machine, place: HookPlace) => boolean;
  /** Whether the API's own controller goes on with the Machine as it is, whatever pre-drain hooks are on it. */
  isPassedOver: (machine: Machine) => boolean;
  /** What else has that controller leave the Node alone, for people. */
  endsWithoutNode: readonly string[];
  /** What may put a nodeRef back that was taken off, for people; absent where nothing does. */
  nodeRefReturns?: string;
  /** Where the API's own controller is, as the Machine shows it; undefined where it shows nothing that is known. */
  stage: (machine: Machine) => PeerStage | undefined;
  /** Whether that controller waits for the hooks before the end of the server, as the Machine shows it. */
  isAtPreTerminate: (machine: Machine) => boolean;
}

/** How the API's own controller is kept from doing once more what was done, or given up. */
type SkipPeerDrain =
  /** These have it pass a step over: they go with our hook. */
  | { by: 'annotation'; of: Readonly<Record<GatedStep, string>> }
  /**
   * The status says that the drain is done. That controller goes on at once, our hook or not: this is the hand-over. `may`:
   * whether nothing but our hook holds the Machine, as it was read.
   */
  | {
      by: 'mark';
      canMark: (machine: Machine) => boolean;
      patch: (machine: Machine, now: Instant) => JsonPatchOperation[];
    };

/** One Machine API: which phases it has, how its Machines are read, what is written on them. */
export interface Dialect {
  name: string;
  group: string;
  versions: readonly string[];
  plural: string;
  finalizer: string;
  hold: Hold;
  /** Beside the API's own controller, which goes on where our hook is taken off. Absent where phaseout does it all. */
  beside?: Beside;
  /** The API's own controller deletes the Machines, and phaseout only watches: it writes nothing. Absent elsewhere. */
  isObserved?: true;
  phases: readonly Phase[];
  termination: Termination;
  drain: DrainTraits;
  /** Label that a configured watch filter is compared with; undefined where the API has no such filter. */
  watchFilterLabel: string | undefined;
  /** A Node that the Machine does not name is looked for by its providerID. */
  findsNodes: boolean;
  /** Nothing is done to the Machine whose Node this instance runs on. */
  sparesOwnMachine: boolean;
  /** The Node is left behind where the workload cluster's credentials are missing. */
  leavesNodeWithoutAccess: boolean;
  /** The Machine's status says where its deletion stands; otherwise, or for a part of the way, only Events do. */
  showsProgress: boolean;
  /** Living Machines are kept in step with their servers through the actuator. */
  managesServers: boolean;
  /** Throws a MachineUnreadable that names the field. */
  read(raw: KubeObject): Machine;
  /** Whether its Node is Ready, as the Machine itself says. Absent where no Machine says it, and Nodes are asked. */
  nodeReadiness?(machine: Machine): boolean | undefined;
  /** Where the Machine's Node is; undefined where nothing tells. */
  workload(machine: Machine): WorkloadRef | undefined;
  /** Name of the Cluster object that has to exist; undefined where none has to. Throws Unavailable. */
  clusterNameOf(machine: Machine): string | undefined;
  /** Finalizers that a living Machine should have, ours among them, in the order in which they are added. */
  finalizersOf(machine: Machine): readonly string[];
  /** Names of the hooks that hold at a point, sorted. */
  hooks(machine: Machine, point: HookPoint): string[];
  /** Those at a point that hold nothing, because the API passes them over; sorted. */
  bypassedHooks(machine: Machine, point: HookPoint): string[];
  /** Whether the API goes past the hooks of a point with this Machine, whatever hooks there are. */
  passesHooks(machine: Machine, point: HookPoint): boolean;
  hookMessage(machine: Machine, point: HookPoint): string;
  /** Who has to remove a hook, as far as it says so. */
  hookOwner(machine: Machine, point: HookPoint, name: string): string | undefined;
  /** Why the Machine is paused; empty when it is not. */
  pausedBy(machine: Machine, surroundings: ClusterState): string[];
  /** What the API demands of every Machine and this one lacks; nothing is done to it meanwhile. */
  invalidity(machine: Machine): string | undefined;
  /** A phase that the Machine itself shows as passed already. */
  isDone(machine: Machine, phase: Phase): boolean;
  isDrainExcluded(machine: Machine): boolean;
  isVolumeWaitExcluded(machine: Machine): boolean;
  /**
   * Whether the Machine's Node may be drained and deleted. `hasNode`: what a search for its Node has found; without one
   * its nodeRef tells.
   */
  nodeDeletion(machine: Machine, surroundings: ClusterState, hasNode?: boolean): NodeDeletion;
  /** Whether a step may go on for this Machine. Throws Unavailable when the infrastructure is unknown. */
  gate(step: GatedStep, machine: Machine, input: GateInput): Gate;
  /** Whether the Node may be left behind: the node phase has lasted too long. */
  isNodeDeletionOver(machine: Machine, startedAt: Instant | undefined, now: Instant): boolean;
  /** Undefined where there is none, or nothing depends on it any more. */
  controlPlaneOf(cluster: KubeObject, namespace: string): ObjectRef | undefined;
  clusterMachines(machine: Machine): ClusterMachines;
  /** Undefined where nothing has to be counted. */
  controlPlaneMembers(machine: Machine, cluster: KubeObject | undefined): ControlPlaneMembers | undefined;
  /** When phases began, as far as the Machine itself says (RFC 3339). */
  startTimes(machine: Machine): Partial<Record<Phase, string>>;
  /** Whether the Machine tells that its pre-terminate hooks were waited for; true where the Node stays as it was drained. */
  hasWaitedForHooks(machine: Machine): boolean;
  /** What a status with this report should know of, whether the step needed it or not. */
  worthSeeing(input: Pick<StatusInput, 'machine' | 'cluster' | 'now'>, report: Report): Place[];
  /** The Kubernetes Events that the API's own controllers write at such a moment. */
  events(machine: Machine, moment: Moment): MachineEvent[];
  /** The whole status as it should be; the caller writes it only where it differs. */
  status(input: StatusInput): Record<string, unknown>;
}

/** The Machines of an API, at one of its versions. */
export const resourceOf = ({ group, plural }: Dialect, version: string): Resource => ({
  group,
  version,
  plural,
});

/** The fields of a Machine make no sense; the message names the field. */
export class MachineUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MachineUnreadable';
  }
}
