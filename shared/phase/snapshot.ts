import type { DeleteAnswer, Existence } from '../actuator/port.ts';
import type { OtherClaims } from '../dialects/claims.ts';
import type { NodeDeletion, Observed } from '../dialects/gate.ts';
import type { Ownership } from '../dialects/status-input.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type {
  DeleteOutcome,
  EvictionAnswer,
  Key,
  ObjectList,
  Resource,
  Selection,
  Side,
} from '../kubernetes/client.ts';
import type { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject, Node, Pod } from '../kubernetes/objects.ts';
import { type Machine, type ObjectRef, withNode } from '../machine/machine.ts';
import type { Instant } from '../time/clock.ts';

/** What one look was told, so that the status can be computed from it. */
export interface Observations {
  infrastructure: Observed;
  bootstrap: Observed;
  node: Observed<Node>;
  /** Whose the Machine's Node is, once this look has judged that. */
  ownership?: Ownership;
}

/** What a search for a Machine's Node comes to. Several are not none. */
export type FoundNode =
  | { kind: 'named'; name: string }
  | { kind: 'none' }
  | { kind: 'several'; names: readonly string[] };

/** The same, or why the search failed: there is a Node, as far as is known. */
export type NodeSearchResult = FoundNode | { kind: 'unread'; why: Unavailable };

/** Searches for a Machine's own Node. Each throws Unavailable where the search failed. */
export interface NodeFinder {
  /** The Node that the Machine names, else the one with its providerID where its API looks for it. */
  find(): Promise<FoundNode>;
  /** The providerID of the Machine, else of its infrastructure object. */
  providerId(): Promise<string | undefined>;
  /** The Node of the server with this providerID, whatever Node the Machine names. */
  ofServer(providerId: string): Promise<FoundNode>;
  /** What the other Machines of the Cluster say of their Nodes, as it was not long ago. */
  otherClaims(): Promise<OtherClaims>;
  /** The Node that this instance has judged to be the Machine's own, not long ago. */
  known(): OwnNodeRef | undefined;
  remember(own: OwnNodeRef): void;
}

/** A Node that was found to be the Machine's own, by name and UID. */
export interface OwnNodeRef {
  name: string;
  uid: string;
}

/**
 * One look at the world, for one Machine. It reads each thing at most once, and what an effect was answered
 * counts as seen: the answer of a write is the next round's object.
 */
export interface Snapshot {
  readonly observed: Observations;
  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined>;
  list(side: Side, resource: Resource, selection?: Selection): Promise<ObjectList>;
  /** Like `list`, but an answer begun up to `maxAgeMilliseconds` ago will do. */
  recentList(
    side: Side,
    resource: Resource,
    selection: Selection,
    maxAgeMilliseconds: number,
  ): Promise<ObjectList>;
  /**
   * All of a kind, read after this was asked, but shared with others who ask at the same time. There may be very many:
   * nothing is held but what `hold` makes of each, which is the same for all who ask.
   */
  sharedList(side: Side, resource: Resource, hold: (object: KubeObject) => KubeObject): Promise<ObjectList>;
  /**
   * The object, or as it was up to `maxAgeMilliseconds` ago if it was `good` then; what is not good, or not there,
   * is never taken from memory.
   */
  recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined>;
  /** Whether the object is there; a "yes" may be up to `maxAgeMilliseconds` old, a "no" never is. */
  exists(side: Side, resource: Resource, key: Key, maxAgeMilliseconds: number): Promise<boolean>;
  /** UID of the Node, if this instance knows it to be cordoned since not long ago. */
  cordonedNode(nodeName: string): string | undefined;
  rememberCordon(nodeName: string, uid: string): void;
  /** The object a Machine refers to. Throws Unavailable when its kind is not served. */
  referred(ref: ObjectRef, kept?: Kept): Promise<Referred>;
  /** The MachineDrainRules of a namespace, read at most `maxAgeMilliseconds` ago; undefined where the kind is not served. */
  drainRules(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[] | undefined>;
  /** Whether VolumeAttachments count besides what the Node's own status says. */
  readonly considersVolumeAttachments: boolean;
  readonly nodeFinder: NodeFinder;
  /** Whether the Machine's Node may be touched, if it has one. Throws Unavailable. */
  nodeDeletion(hasNode: boolean): Promise<NodeDeletion>;
  /** What the provider answered when this invocation asked it to remove the server. */
  readonly termination: DeleteAnswer | undefined;
  /** Whether the provider still has the Machine's server. Throws Unavailable. */
  serverExistence(): Promise<Existence>;
  podRecords(): Promise<ReadonlyMap<string, PodRecord>>;
  now(): Instant;
  /** When the step began: a time limit that was not over then lets it try, however long that takes. */
  readonly beganAt: Instant;
  /** Answers to the evictions of this invocation, by Pod UID. */
  readonly answers: ReadonlyMap<string, EvictionAnswer>;
  /** What became of this invocation's delete of an object, by UID. */
  deletion(uid: string): DeleteOutcome | undefined;
  /** Whether it meant to delete another object of that name, and came too late for that. */
  wasReplaced(side: Side, resource: Resource, key: Key): boolean;
}

/** A delete names the UID it means: its answer says how the object is. It rests on nothing that is older than a step may be. */
export const forDeleteMilliseconds = 30_000;

/** Which earlier answer will do: one at most this old, in milliseconds, that is good. */
export interface Kept {
  maxAgeMilliseconds: number;
  good(object: KubeObject): boolean;
}

/** An object that the Machine refers to, as it was read; undefined when it does not exist. */
export interface Referred {
  resource: Resource;
  key: Key;
  object: KubeObject | undefined;
}

/** Pods of the list that are still there, as Kubernetes sends them. */
export const podsOf = (list: ObjectList): Pod[] => list.items;

/** The same with what a search for its Node has come to. */
export function withFoundNode<T extends { machine: Machine }>(subject: T, nodeSearch: NodeSearchResult) {
  const { machine } = subject;
  return {
    ...subject,
    machine: nodeSearch.kind === 'named' ? withNode(machine, nodeSearch.name) : machine,
    nodeSearch,
  };
}
