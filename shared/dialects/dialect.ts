import type { Instant } from '../clock.ts';
import type { Report } from '../decision.ts';
import type { KubeObject, Node } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/port.ts';
import type { Checkpoint } from '../machine/checkpoint.ts';
import type { Machine } from '../machine/machine.ts';
import type { Phase } from '../machine/phase.ts';

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

export type NodeDeletion = { allowed: true } | { allowed: false; why: string };

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
  /** The whole status as it should be; the caller writes it only where it differs. */
  status(input: StatusInput): Record<string, unknown>;
}

export class MachineUnreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MachineUnreadable';
  }
}
