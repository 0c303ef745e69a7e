import type { Actuator, ActuatorTarget } from '../actuator/port.ts';
import type { BlockedAction } from '../blocked/entry.ts';
import type { Cache } from '../cache/cache.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import {
  type DeleteOutcome,
  type Key,
  type Kubernetes,
  type ObjectList,
  type Resource,
  type Selection,
  type Side,
  type WorkloadRef,
  workloadName,
} from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { pods } from '../kubernetes/resources.ts';
import type { ObjectRef } from '../machine/machine.ts';
import type { PolicySources } from '../phase/places.ts';
import type { NodeFinder } from '../phase/snapshot.ts';
import type { Store } from '../store/port.ts';
import type { Clock, Instant } from '../time/clock.ts';
import type { HookSources } from './hook-sources.ts';

/** What a look at the world for one Machine reads through. */
export interface SnapshotSources {
  management: Kubernetes;
  workload: () => Promise<Kubernetes>;
  store: Store;
  cache: Cache;
  clock: Clock;
  beganAt: Instant;
  machineUid: string;
  /** Tells one workload cluster's recent reads from another's. */
  workloadName: string;
  /** Of an earlier start of the same step. */
  deletions?: KnownDeletions | undefined;
  /** What an earlier start of the same step has read, a moment ago and before any effect. */
  reads?: Reads | undefined;
  considersVolumeAttachments: boolean;
  hooks: HookSources;
  actions: ReadonlySet<BlockedAction>;
  policies: PolicySources;
  nodeFinder: NodeFinder;
  nodeDeletion: (hasNode: boolean) => Promise<NodeDeletion>;
  actuator: Actuator;
  /** What the actuator is asked about. */
  target: ActuatorTarget;
}

/** The answers that a look has had, or waits for. */
export class Reads {
  readonly objects: Map<string, Promise<KubeObject | undefined>>;
  readonly lists: Map<string, Promise<ObjectList>>;

  /** `before`: of an earlier start of the same step. */
  constructor(before?: Reads) {
    this.objects = new Map(before?.objects);
    this.lists = new Map(before?.lists);
  }
}

/** The outcomes of the deletes of one look, and what later looks learn from them. */
export class KnownDeletions {
  readonly #outcomes = new Map<string, DeleteOutcome>();
  readonly #replaced: Set<string>;

  /** `before`: of an earlier start of the same step. */
  constructor(before?: KnownDeletions) {
    this.#replaced = new Set(before === undefined ? [] : before.#replaced);
  }

  /** `place`: what an object has in common with another one of its name. */
  record(place: string, uid: string, outcome: DeleteOutcome): void {
    this.#outcomes.set(uid, outcome);
    if (outcome.kind === 'replaced') this.#replaced.add(place);
  }

  of(uid: string): DeleteOutcome | undefined {
    return this.#outcomes.get(uid);
  }

  haveFoundAnother(place: string): boolean {
    return this.#replaced.has(place);
  }
}

/** What is known of a Machine's Pods: what the store had when first asked, and what was learnt since. */
export class KnownPods {
  readonly #store: Store;
  readonly #cache: Cache;
  readonly #machineUid: string;
  #stored: Promise<PodRecord[]> | undefined;

  constructor(store: Store, cache: Cache, machineUid: string) {
    this.#store = store;
    this.#cache = cache;
    this.#machineUid = machineUid;
  }

  /** By Pod UID; of two records of a Pod the later one. */
  async records(): Promise<ReadonlyMap<string, PodRecord>> {
    this.#stored ??= this.#store.podRecords(this.#machineUid);
    const known = [...(await this.#stored), ...this.#cache.pods(this.#machineUid)];
    const sorted = known.toSorted((a, b) => a.lastAttempt - b.lastAttempt);
    return new Map(sorted.map((record) => [record.podUid, record]));
  }

  learn(records: readonly PodRecord[]): void {
    this.#cache.rememberPods(this.#machineUid, records);
  }
}

const notServed: ObjectList = { items: [], resourceVersion: '' };

/** The MachineDrainRules of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
export async function drainRulesIn(
  namespace: string,
  { management, cache }: { management: Kubernetes; cache: Cache },
  maxAgeMilliseconds: number,
): Promise<KubeObject[] | undefined> {
  const rules = await cache.lists.get(`rules|${namespace}`, maxAgeMilliseconds, async () => {
    const resource = await management.discover('cluster.x-k8s.io', 'MachineDrainRule');
    return resource === undefined ? notServed : management.list(resource, { namespace });
  });
  return rules === notServed ? undefined : rules.items;
}

/**
 * The resource that serves the object, in another version if the API has dropped the referenced one. Throws
 * Unavailable if the API does not serve it: that does not mean that the object is absent.
 */
export async function servedResource(kubernetes: Kubernetes, ref: ObjectRef): Promise<Resource> {
  const { group, kind, version, namespace, name } = ref;
  const resource =
    (await kubernetes.discover(group, kind, version)) ?? (await kubernetes.discover(group, kind));
  if (resource !== undefined) return resource;
  throw new Unavailable(
    `${kind} of ${group} is not served by the API: nothing can be said of ${namespace}/${name}`,
  );
}

const resourceKey = (resource: Resource): string =>
  `${resource.group}/${resource.version}/${resource.plural}`;

/** An object that an effect was meant for. */
export interface Target {
  side: Side;
  resource: Resource;
  key: Key;
}

/** Names one object as a look asks for it. */
export const objectKey = (side: Side, resource: Resource, key: Key): string =>
  `${side}|${resourceKey(resource)}|${key.namespace ?? ''}/${key.name}`;

/** Under this name the cache keeps an object of a cluster, for a short time. `owner`: the cluster, or empty. */
export const recentKey = (owner: string, seen: string): string => `${owner}|get|${seen}`;

/** A watch has shown that the object has gone: the next look reads it. */
export function forgetGone(
  cache: Cache,
  workload: WorkloadRef,
  resource: Resource,
  object: KubeObject,
): void {
  const { namespace, name } = object.metadata;
  const seen = objectKey('workload', resource, { name, ...(namespace !== undefined && { namespace }) });
  cache.objects.forget(recentKey(workloadName(workload), seen));
}

/** Names one list as a look asks for it. */
export const listKey = (side: Side, resource: Resource, selection: Selection): string =>
  `${side}|${resourceKey(resource)}|list|${selection.namespace ?? ''}|${selection.labelSelector ?? ''}|${selection.fieldSelector ?? ''}`;

/** Whether a key names a list of Pods. */
export const isListOfPods = (key: string): boolean => key.includes(`|${resourceKey(pods)}|list|`);
