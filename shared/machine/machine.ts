import type { KubeObject } from '../kubernetes/objects.ts';
import type { Instant } from '../time/clock.ts';
import { type Phase, recordOf } from './phase.ts';

/** Where a Machine is, and which one it is: names can be taken again, UIDs cannot. */
export interface MachineRef {
  apiVersion: string;
  namespace: string;
  name: string;
  uid: string;
}

/** A reference from a Machine to its infrastructure or bootstrap object. `version` is absent in newer APIs. */
export interface ObjectRef {
  group: string;
  version?: string;
  kind: string;
  namespace: string;
  name: string;
}

/** A Machine in the words that all Machine APIs share. `raw` is what the API server sent. */
export interface Machine {
  ref: MachineRef;
  resourceVersion: string;
  generation: number;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  finalizers: string[];
  deletionTimestamp?: Instant;
  clusterName?: string;
  providerId?: string;
  nodeName?: string;
  /** UID that the Machine's nodeRef names, where its API has one. */
  nodeUid?: string;
  isControlPlane: boolean;
  /** Seconds; absent or 0 means no limit. A negative drain or volume time is no limit, a negative node time is over. */
  drainTimeoutSeconds?: number;
  volumeDetachTimeoutSeconds?: number;
  nodeDeletionTimeoutSeconds?: number;
  infrastructure?: ObjectRef;
  bootstrap?: ObjectRef;
  raw: KubeObject;
}

/** The Machine with the name of its Node, where that is known. */
export const withNode = (machine: Machine, nodeName: string | undefined): Machine =>
  nodeName === undefined ? machine : { ...machine, nodeName };

/** Whether the Machine has a deletionTimestamp. */
export const isDeleting = (machine: Machine): boolean => machine.deletionTimestamp !== undefined;

/** Whether a time limit may end it with its work undone. */
export const isLimited = (phase: Phase): boolean => recordOf(phase).limit !== undefined;

/** The time limit of a phase that ends with or without its work done, in seconds. 0 where there is none. */
export function limitSecondsOf(phase: Phase, machine: Machine): number {
  const { limit } = recordOf(phase);
  return (limit === undefined ? undefined : machine[limit.by]) ?? 0;
}

/** How two provider IDs stand to each other. */
type Likeness =
  | 'equal'
  /** One of them lacks parts, or has other capitals, and no part contradicts. */
  | 'in-form'
  | 'contradicting';

/**
 * A provider and a cloud's own controller may write different forms. Examples are `openstack:///f1a4` and
 * `openstack://region/f1a4`, or a resource group in capitals. Servers of scale sets are numbered from zero in each set. So
 * all parts count, and not the last one alone.
 */
export function compareProviderIds(one: string, other: string): Likeness {
  if (one === other) return 'equal';
  const [short = [], long = []] = [partsOf(one), partsOf(other)].toSorted((a, b) => a.length - b.length);
  const isSameEnd = short.at(-1) !== undefined && short.at(-1) === long.at(-1);
  return isSameEnd && short.every((part) => long.includes(part)) ? 'in-form' : 'contradicting';
}

const partsOf = (id: string): string[] =>
  id
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');

/** Of what `clusterctl move` has copied to another cluster, and is about to delete in this one: its server lives on. */
export const deletedForMove = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** Whether `clusterctl move` takes the Machine to another management cluster. */
export const isMoved = ({ annotations }: Pick<Machine, 'annotations'>): boolean =>
  deletedForMove in annotations;
