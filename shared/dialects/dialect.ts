import type { Instant } from '../clock.ts';
import type { Report } from '../decision.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/port.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine, ObjectRef } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';
import type { Passing } from '../machine/reason.ts';

export type HookPoint = 'pre-drain' | 'pre-terminate';

/** What was seen of an object the Machine refers to; `unseen` when this look had no need of it. */
export type Sighting<T extends KubeObject = KubeObject> =
  | { kind: 'unseen' }
  /** The reading failed: neither present nor absent. */
  | { kind: 'unknown'; why: string }
  | { kind: 'absent' }
  | { kind: 'present'; object: T };

/** The surroundings that guards look at before every effect. */
export interface Surroundings {
  cluster: KubeObject;
  controlPlane: Sighting;
  /** Control plane Machines of the cluster without a deletionTimestamp; undefined when not counted. */
  controlPlaneMembers: number | undefined;
}

/** What a Machine's status tells of beside the deletion itself. */
export type Place = 'infrastructure' | 'bootstrap' | 'node';

export type NodeDeletion = { allowed: true } | { allowed: false; why: string };

export type Gate = { allowed: true } | { allowed: false; passing: Passing; why: string };

/** The steps that a Machine may be excluded from, or that may take too long. */
export type GatedStep = 'drain' | 'volume-detach';

export interface GateInput {
  /** `unseen` passes: the reading is only needed when nothing else decides. */
  infrastructure: Sighting;
  startedAt: Instant;
  now: Instant;
}

/** Everything a Machine's status is computed from. */
export interface StatusInput {
  machine: Machine;
  checkpoint: Checkpoint;
  /** Absent while nothing is to be said beyond "deleting". */
  report: Report | undefined;
  paused: string[];
  infrastructure: Sighting;
  bootstrap: Sighting;
  node: Sighting<Node>;
  now: Instant;
}

/** One Machine API: which phases it has, how its Machines are read, what is written on them. */
export interface Dialect {
  name: string;
  group: string;
  versions: readonly string[];
  plural: string;
  finalizer: string;
  phases: readonly Phase[];
  resource(version: string): Resource;
  /** Throws a MachineUnreadable that names the field. */
  read(raw: KubeObject): Machine;
  /** Names of the hooks that hold at a point, sorted. */
  hooks(machine: Machine, point: HookPoint): string[];
  hookMessage(point: HookPoint, hooks: string[]): string;
  /** Why the Machine is paused; empty when it is not. */
  pausedBy(machine: Machine, surroundings: Surroundings): string[];
  isDrainExcluded(machine: Machine): boolean;
  isVolumeWaitExcluded(machine: Machine): boolean;
  nodeDeletion(machine: Machine, surroundings: Surroundings): NodeDeletion;
  /** Whether a step may go on for this Machine. Throws CouldNotLook when the infrastructure is unknown. */
  gate(step: GatedStep, machine: Machine, input: GateInput): Gate;
  /** Whether the Node may be left behind: the node phase has lasted too long. */
  isNodeDeletionOver(machine: Machine, startedAt: Instant, now: Instant): boolean;
  controlPlaneOf(cluster: KubeObject, namespace: string): ObjectRef | undefined;
  /** Label selector of the Machines that are control plane members of this Machine's cluster. */
  controlPlaneMembersSelector(machine: Machine): string;
  /** When phases began, as far as the Machine itself says (RFC 3339). */
  startTimes(machine: Machine): Partial<Record<Phase, string>>;
  /** What a status with this report should know of, whether the step needed it or not. */
  worthSeeing(machine: Machine, report: Report): Place[];
  /** The whole status as it should be; the caller writes it only where it differs. */
  status(input: StatusInput): Record<string, unknown>;
}

export class MachineUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MachineUnreadable';
  }
}
