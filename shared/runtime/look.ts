import type { Clock, Instant } from '../clock.ts';
import type { Side } from '../decision.ts';
import type { Sighting } from '../dialects/dialect.ts';
import type { KubeObject, Node, Pod } from '../kubernetes/objects.ts';
import { CouldNotLook } from '../kubernetes/port.ts';
import type {
  DeleteOutcome,
  EvictionAnswer,
  Key,
  Kubernetes,
  ObjectList,
  Resource,
  Selection,
  WriteOutcome,
} from '../kubernetes/port.ts';
import type { ObjectRef } from '../machine/machine.ts';
import type { PodRecord, Store } from '../store/port.ts';
import type { Memory } from './memory.ts';

/** What one look was told, so that the status can be computed from it. */
export interface Sightings {
  infrastructure: Sighting;
  bootstrap: Sighting;
  node: Sighting<Node>;
}

/**
 * One look at the world, for one Machine. It reads each thing at most once, and what an effect was answered
 * counts as seen: the answer of a write is the next round's object.
 */
export interface Look {
  readonly sightings: Sightings;
  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined>;
  list(side: Side, resource: Resource, selection?: Selection): Promise<ObjectList>;
  /** Like `list`, but an answer begun up to `maxAgeMilliseconds` ago will do. */
  recentList(
    side: Side,
    resource: Resource,
    selection: Selection,
    maxAgeMilliseconds: number,
  ): Promise<ObjectList>;
  /** Like `list`, read after this was asked, but shared with others who ask at the same time. */
  sharedList(side: Side, resource: Resource, selection?: Selection): Promise<ObjectList>;
  /**
   * The object, or as it was up to `maxAgeMilliseconds` ago if it was `good` then; what is not good, or not there,
   * is never taken from memory.
   */
  recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined>;
  /** Whether the object is there; a "yes" may be up to `maxAgeMilliseconds` old, a "no" never is. */
  exists(side: Side, resource: Resource, key: Key, maxAgeMilliseconds: number): Promise<boolean>;
  /** Whether this instance knows the Node to be cordoned since not long ago. */
  remembersCordon(nodeName: string): boolean;
  rememberCordon(nodeName: string): void;
  /** The object a Machine refers to. Throws CouldNotLook when its kind is not served. */
  referred(ref: ObjectRef, kept?: Kept): Promise<Referred>;
  /** The MachineDrainRules of a namespace, read at most `maxAgeMilliseconds` ago; none where the kind is not served. */
  drainRules(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[]>;
  /** Whether VolumeAttachments count besides what the Node's own status says. */
  readonly considersVolumeAttachments: boolean;
  podRecords(): Promise<ReadonlyMap<string, PodRecord>>;
  now(): Instant;
  /** Answers to the evictions of this invocation, by Pod UID. */
  readonly answers: ReadonlyMap<string, EvictionAnswer>;
  /** What became of this invocation's delete of an object, by UID. */
  deletion(uid: string): DeleteOutcome | undefined;
}

export interface Kept {
  maxAgeMilliseconds: number;
  good(object: KubeObject): boolean;
}

export interface Referred {
  resource: Resource;
  key: Key;
  object: KubeObject | undefined;
}

interface LookParts {
  management: Kubernetes;
  workload: () => Promise<Kubernetes>;
  store: Store;
  memory: Memory;
  clock: Clock;
  machineUid: string;
  /** Tells one workload cluster's recent reads from another's. */
  workloadName: string;
  considersVolumeAttachments: boolean;
}

/** Somebody may uncordon a Node meanwhile: then it is looked at again. */
const cordonAgeMilliseconds = 60_000;

/** The look the runner hands to phases; the runner also records the outcomes of effects in it. */
export class RunningLook implements Look {
  readonly sightings: Sightings = {
    infrastructure: { kind: 'unseen' },
    bootstrap: { kind: 'unseen' },
    node: { kind: 'unseen' },
  };
  readonly answers = new Map<string, EvictionAnswer>();
  readonly #parts: LookParts;
  readonly #seen = new Map<string, Promise<unknown>>();
  readonly #deletions = new Map<string, DeleteOutcome>();

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined> {
    return this.#once(objectKey(side, resource, key), async () => (await this.#of(side)).get(resource, key));
  }

  list(side: Side, resource: Resource, selection: Selection = {}): Promise<ObjectList> {
    return this.#once(listKey(side, resource, selection), async () =>
      (await this.#of(side)).list(resource, selection),
    );
  }

  recentList(
    side: Side,
    resource: Resource,
    selection: Selection,
    maxAgeMilliseconds: number,
  ): Promise<ObjectList> {
    const key = `${this.#ownerOf(side)}|${listKey(side, resource, selection)}`;
    return this.#parts.memory.recent(key, maxAgeMilliseconds, async () =>
      (await this.#of(side)).list(resource, selection),
    );
  }

  sharedList(side: Side, resource: Resource, selection: Selection = {}): Promise<ObjectList> {
    const key = listKey(side, resource, selection);
    return this.#once(key, () =>
      this.#parts.memory.next(`${this.#ownerOf(side)}|${key}`, async () =>
        (await this.#of(side)).list(resource, selection),
      ),
    );
  }

  async recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined> {
    const seen = objectKey(side, resource, key);
    // What an effect of this look was answered is newer than anything remembered.
    if (this.#seen.has(seen)) return this.get(side, resource, key);
    const name = `${this.#ownerOf(side)}|get|${seen}`;
    const { memory } = this.#parts;
    const object = await memory.recent(name, kept.maxAgeMilliseconds, () => this.get(side, resource, key));
    if (object !== undefined && kept.good(object)) return object;
    memory.forget(name);
    return this.get(side, resource, key);
  }

  async exists(side: Side, resource: Resource, key: Key, maxAgeMilliseconds: number): Promise<boolean> {
    return (
      (await this.recentGet(side, resource, key, { maxAgeMilliseconds, good: () => true })) !== undefined
    );
  }

  remembersCordon(nodeName: string): boolean {
    return this.#parts.memory.isFresh(this.#cordonKey(nodeName), cordonAgeMilliseconds);
  }

  rememberCordon(nodeName: string): void {
    void this.#parts.memory.recent(this.#cordonKey(nodeName), 0, () => Promise.resolve(true));
  }

  async referred(ref: ObjectRef, kept?: Kept): Promise<Referred> {
    const resource = await this.#parts.management.discover(ref.group, ref.kind, ref.version);
    if (resource === undefined) throw kindNotServed(ref);
    const key = { namespace: ref.namespace, name: ref.name };
    if (kept !== undefined)
      return { resource, key, object: await this.recentGet('management', resource, key, kept) };
    return { resource, key, object: await this.get('management', resource, key) };
  }

  /** What has just been learnt of Pods stands beside what the store remembered when it was asked. */
  recordPods(records: readonly PodRecord[]): void {
    this.#parts.memory.rememberPods(this.#parts.machineUid, records);
    this.#seen.delete('pod-records');
  }

  async drainRules(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[]> {
    const { management, memory } = this.#parts;
    return memory.recent(`rules|${namespace}`, maxAgeMilliseconds, async () => {
      const resource = await management.discover('cluster.x-k8s.io', 'MachineDrainRule');
      return resource === undefined ? [] : (await management.list(resource, { namespace })).items;
    });
  }

  get considersVolumeAttachments(): boolean {
    return this.#parts.considersVolumeAttachments;
  }

  now(): Instant {
    return this.#parts.clock.now();
  }

  podRecords(): Promise<ReadonlyMap<string, PodRecord>> {
    const { store, memory, machineUid } = this.#parts;
    return this.#once('pod-records', async () => {
      const stored = await this.#once('stored-pod-records', () => store.podRecords(machineUid));
      const known = [...stored, ...memory.pods(machineUid)].toSorted((a, b) => a.lastAttempt - b.lastAttempt);
      return new Map(known.map((record) => [record.podUid, record]));
    });
  }

  deletion(uid: string): DeleteOutcome | undefined {
    return this.#deletions.get(uid);
  }

  recordDeletion(
    target: { side: Side; resource: Resource; key: Key; uid: string },
    outcome: DeleteOutcome,
  ): void {
    this.#deletions.set(target.uid, outcome);
    const seen = objectKey(target.side, target.resource, target.key);
    if (outcome.kind === 'deleting') this.#seen.set(seen, Promise.resolve(outcome.object));
    if (outcome.kind === 'gone') this.#seen.set(seen, Promise.resolve(undefined));
    if (outcome.kind === 'replaced') this.#seen.delete(seen);
  }

  recordWrite(side: Side, resource: Resource, key: Key, outcome: WriteOutcome): void {
    const seen = objectKey(side, resource, key);
    if (outcome.kind === 'written') this.#seen.set(seen, Promise.resolve(outcome.object));
    else this.#seen.delete(seen);
  }

  /**
   * An accepted eviction leaves the Pod's list as it was, with the answer beside it. When any Pod turned out to be
   * gone the list no longer says what is there, and is read again: advancing takes evidence.
   */
  recordAnswers(answers: ReadonlyMap<string, EvictionAnswer>): void {
    for (const [uid, answer] of answers) this.answers.set(uid, answer);
    if (![...answers.values()].some((answer) => answer.kind === 'gone' || answer.kind === 'replaced')) return;
    for (const key of this.#seen.keys()) if (key.includes('|/v1/pods|')) this.#seen.delete(key);
  }

  #ownerOf(side: Side): string {
    return side === 'workload' ? this.#parts.workloadName : '';
  }

  #cordonKey(nodeName: string): string {
    return `cordon|${this.#parts.workloadName}|${this.#parts.machineUid}|${nodeName}`;
  }

  #of(side: Side): Promise<Kubernetes> {
    return side === 'management' ? Promise.resolve(this.#parts.management) : this.#parts.workload();
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#seen.get(key);
    if (known !== undefined) return known as Promise<T>;
    const reading = read();
    this.#seen.set(key, reading);
    return reading;
  }
}

const resourceKey = (resource: Resource): string =>
  `${resource.group}/${resource.version}/${resource.plural}`;

const objectKey = (side: Side, resource: Resource, key: Key): string =>
  `${side}|${resourceKey(resource)}|${key.namespace ?? ''}/${key.name}`;

const listKey = (side: Side, resource: Resource, selection: Selection): string =>
  `${side}|${resourceKey(resource)}|list|${selection.namespace ?? ''}|${selection.labelSelector ?? ''}|${selection.fieldSelector ?? ''}`;

const kindNotServed = (ref: ObjectRef): Error =>
  new CouldNotLook(
    `${ref.kind} of ${ref.group} is not served by the API: nothing can be said of ${ref.namespace}/${ref.name}`,
  );

/** Pods of the list that are still there, as Kubernetes sends them. */
export const podsOf = (list: ObjectList): Pod[] => list.items as Pod[];
