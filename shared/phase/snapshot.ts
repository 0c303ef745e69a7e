import type { DeleteAnswer, Existence } from '../actuator/port.ts';
import type { BlockedAction } from '../blocked/entry.ts';
import type { Tried } from '../blocked/prospect.ts';
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
import type { HookRecord } from '../machine/hook-record.ts';
import { type Machine, type ObjectRef, withNode } from '../machine/machine.ts';
import type { Instant } from '../time/clock.ts';
import type { PolicySources } from './places.ts';

/** What one look has read, to compute the status from. */
export interface Observations {
  infrastructure: Observed;
  bootstrap: Observed;
  node: Observed<Node>;
  /** The owner of the Machine's Node, once this look has judged it. */
  ownership?: Ownership;
}

/** The result of a search for a Machine's Node. Several are not none. */
export type FoundNode =
  | { kind: 'named'; name: string }
  | { kind: 'none' }
  | { kind: 'several'; names: readonly string[] };

/** The same, or why the search failed. After a failure the Node counts as there. */
export type NodeSearchResult = FoundNode | { kind: 'unread'; why: Unavailable };

/** Searches for a Machine's own Node. Each throws Unavailable if the search failed. */
export interface NodeFinder {
  /** The Node that the Machine names, else the one with its providerID if its API searches for it. */
  find(): Promise<FoundNode>;
  /** The providerID of the Machine, else of its infrastructure object. */
  providerId(): Promise<string | undefined>;
  /** The Node of the server with this providerID, whatever Node the Machine names. */
  ofServer(providerId: string): Promise<FoundNode>;
  /** What the other Machines of the Cluster claimed of their Nodes not long ago. */
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
 * One look at the world, for one Machine. It reads each thing at most once. The answer to an effect counts as seen:
 * the next round takes the answer of a write as the object.
 */
export interface Snapshot {
  readonly observed: Observations;
  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined>;
  list(side: Side, resource: Resource, selection?: Selection): Promise<ObjectList>;
  /** The next list of Pods is read. */
  forgetPods(): void;
  /** Like `list`, but an answer begun up to `maxAgeMilliseconds` ago will do. */
  recentList(
    side: Side,
    resource: Resource,
    selection: Selection,
    maxAgeMilliseconds: number,
  ): Promise<ObjectList>;
  /**
   * All of a kind, read after this call, but shared with others who ask at the same time. There may be very many, so
   * this holds only what `hold` makes of each. `hold` is the same for all who ask. With `maxAgeMilliseconds` an answer
   * begun up to so long ago will do.
   */
  sharedList(
    side: Side,
    resource: Resource,
    hold: (object: KubeObject) => KubeObject,
    maxAgeMilliseconds?: number,
  ): Promise<ObjectList>;
  /**
   * The object, or an answer up to `maxAgeMilliseconds` old if it was `good` then. An object that is absent, or not
   * good, never comes from memory.
   */
  recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined>;
  /** Whether the object is there; a "yes" may be up to `maxAgeMilliseconds` old, a "no" never is. */
  exists(side: Side, resource: Resource, key: Key, maxAgeMilliseconds: number): Promise<boolean>;
  /** UID of the Node, if this instance has seen it cordoned not long ago. */
  cordonedNode(nodeName: string): string | undefined;
  rememberCordon(nodeName: string, uid: string): void;
  /** The object a Machine refers to. Throws Unavailable when its kind is not served. */
  referred(ref: ObjectRef, kept?: Kept): Promise<Referred>;
  /** The MachineDrainRules of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
  drainRules(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[] | undefined>;
  /** The DeletionHooks of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
  deletionHooks(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[] | undefined>;
  readonly policies: PolicySources;
  /** What is remembered of the turns of DeletionHooks. */
  hookRecords(): Promise<readonly HookRecord[]>;
  /** Whether there is a key for the tokens of calls. Throws Unavailable. */
  hasHookKey(): Promise<boolean>;
  /** Whether calls of a DeletionHook, by its name, come to anybody; undefined where that cannot be told. */
  deliversCalls(name: string): Promise<boolean | undefined>;
  /** The look only foresees: nothing follows from it. */
  readonly isForesight: boolean;
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
  /** When the step began. If a time limit was not over then, the step may try, however long that takes. */
  readonly beganAt: Instant;
  /** What may be done about Pods that are not let go, as `PHASEOUT_ACTIONS` grants it. */
  readonly actions: ReadonlySet<BlockedAction>;
  /** What this invocation has tried for Pods that are not let go, by Pod UID. */
  readonly tried: ReadonlyMap<string, Tried>;
  /** Answers to the evictions of this invocation, by Pod UID. */
  readonly answers: ReadonlyMap<string, EvictionAnswer>;
  /** The outcome of this invocation's delete of an object, by UID. */
  deletion(uid: string): DeleteOutcome | undefined;
  /** Whether this invocation meant to delete another object of that name, and came too late for that. */
  wasReplaced(side: Side, resource: Resource, key: Key): boolean;
}

/**
 * A delete names the UID that it means, and its answer shows how the object is. It rests on nothing older than a step
 * may be.
 */
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

/** The same, with the result of a search for its Node. */
export function withFoundNode<T extends { machine: Machine }>(subject: T, nodeSearch: NodeSearchResult) {
  const { machine } = subject;
  return {
    ...subject,
    machine: nodeSearch.kind === 'named' ? withNode(machine, nodeSearch.name) : machine,
    nodeSearch,
  };
}
