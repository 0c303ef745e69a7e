import type { DeleteAnswer, Existence } from '../actuator/port.ts';
import { memoize } from '../async/shared-reads.ts';
import { cordonedNode, rememberCordon } from '../cache/cache.ts';
import type { NodeDeletion } from '../dialects/gate.ts';
import type { PodRecord } from '../drain/pod-record.ts';
import type {
  DeleteOutcome,
  EvictionAnswer,
  Key,
  Kubernetes,
  ObjectList,
  Resource,
  Selection,
  Side,
  WriteOutcome,
} from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { ObjectRef } from '../machine/machine.ts';
import type { Kept, NodeFinder, Observations, Referred, Snapshot } from '../phase/snapshot.ts';
import type { Instant, Stopwatch } from '../time/clock.ts';
import {
  drainRulesIn,
  isListOfPods,
  KnownDeletions,
  KnownPods,
  listKey,
  objectKey,
  type SnapshotSources,
  servedResource,
  type Target,
} from './snapshot-sources.ts';

/** The look that a step gives to its phases. The step also records the outcomes of effects in it. */
export class ClusterSnapshot implements Snapshot {
  readonly observed: Observations = {
    infrastructure: { kind: 'unseen' },
    bootstrap: { kind: 'unseen' },
    node: { kind: 'unseen' },
  };
  readonly answers = new Map<string, EvictionAnswer>();
  readonly beganAt: Instant;
  readonly now = (): Instant => this.#parts.clock.now();
  readonly #parts: SnapshotSources;
  readonly #objects = new Map<string, Promise<KubeObject | undefined>>();
  readonly #lists = new Map<string, Promise<ObjectList>>();
  readonly #pods: KnownPods;
  termination: DeleteAnswer | undefined;
  readonly deletions: KnownDeletions;

  constructor(parts: SnapshotSources) {
    this.#parts = parts;
    this.beganAt = parts.beganAt;
    this.deletions = new KnownDeletions(parts.deletions);
    this.#pods = new KnownPods(parts.store, parts.cache, parts.machineUid);
  }

  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined> {
    return memoize(this.#objects, objectKey(side, resource, key), async () =>
      (await this.#of(side)).get(resource, key),
    );
  }

  list(side: Side, resource: Resource, selection: Selection = {}): Promise<ObjectList> {
    return memoize(this.#lists, listKey(side, resource, selection), async () =>
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
    return this.#parts.cache.lists.get(key, maxAgeMilliseconds, async () =>
      (await this.#of(side)).list(resource, selection),
    );
  }

  sharedList(side: Side, resource: Resource, hold: (object: KubeObject) => KubeObject): Promise<ObjectList> {
    const key = listKey(side, resource, {});
    return memoize(this.#lists, key, () =>
      this.#parts.cache.nextLists.get(`${this.#ownerOf(side)}|${key}`, async () =>
        (await this.#of(side)).list(resource, {}, hold),
      ),
    );
  }

  async recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined> {
    const seen = objectKey(side, resource, key);
    // The answer to an effect of this look is newer than anything remembered.
    if (this.#objects.has(seen)) return this.get(side, resource, key);
    const name = this.#recentKey(side, seen);
    const { objects } = this.#parts.cache;
    const object = await objects.get(name, kept.maxAgeMilliseconds, () => this.get(side, resource, key));
    if (object !== undefined && kept.good(object)) return object;
    objects.forget(name);
    return this.get(side, resource, key);
  }

  async exists(side: Side, resource: Resource, key: Key, maxAgeMilliseconds: number): Promise<boolean> {
    const found = await this.recentGet(side, resource, key, { maxAgeMilliseconds, good: () => true });
    return found !== undefined;
  }

  cordonedNode(nodeName: string): string | undefined {
    const { cache, machineUid, workloadName } = this.#parts;
    return cordonedNode(cache, machineUid, `${workloadName}|${nodeName}`);
  }

  rememberCordon(nodeName: string, uid: string): void {
    const { cache, machineUid, workloadName } = this.#parts;
    rememberCordon(cache, machineUid, `${workloadName}|${nodeName}`, uid);
  }

  async referred(ref: ObjectRef, kept?: Kept): Promise<Referred> {
    const resource = await servedResource(this.#parts.management, ref);
    const key = { namespace: ref.namespace, name: ref.name };
    const object = await (kept === undefined
      ? this.get('management', resource, key)
      : this.recentGet('management', resource, key, kept));
    return { resource, key, object };
  }

  /** Adds what was just learnt of Pods to what the store remembered. */
  recordPods(records: readonly PodRecord[]): void {
    this.#pods.learn(records);
  }

  drainRules(namespace: string, maxAgeMilliseconds: number): Promise<KubeObject[] | undefined> {
    return drainRulesIn(namespace, this.#parts, maxAgeMilliseconds);
  }

  get nodeFinder(): NodeFinder {
    return this.#parts.nodeFinder;
  }

  nodeDeletion(hasNode: boolean): Promise<NodeDeletion> {
    return this.#parts.nodeDeletion(hasNode);
  }

  recordTermination(answer: DeleteAnswer): void {
    this.termination = answer;
  }

  serverExistence(): Promise<Existence> {
    return this.#parts.actuator.exists(this.#parts.target);
  }

  get considersVolumeAttachments(): boolean {
    return this.#parts.considersVolumeAttachments;
  }
  readonly podRecords = (): Promise<ReadonlyMap<string, PodRecord>> => this.#pods.records();
  readonly deletion = (uid: string): DeleteOutcome | undefined => this.deletions.of(uid);

  recordDeletion(target: Target & { uid: string }, outcome: DeleteOutcome): void {
    const seen = objectKey(target.side, target.resource, target.key);
    this.deletions.record(seen, target.uid, outcome);
    this.#parts.cache.objects.forget(this.#recentKey(target.side, seen));
    if (outcome.kind === 'deleting') this.#objects.set(seen, Promise.resolve(outcome.object));
    if (outcome.kind === 'gone') this.#objects.set(seen, Promise.resolve(undefined));
    if (outcome.kind === 'replaced') this.#objects.delete(seen);
  }

  readonly wasReplaced = (side: Side, resource: Resource, key: Key): boolean =>
    this.deletions.haveFoundAnother(objectKey(side, resource, key));

  /** The answer of a write is the object for the next looks, too. `age`: since the write began. */
  recordWrite({ side, resource, key }: Target, outcome: WriteOutcome, age: Stopwatch): void {
    const seen = objectKey(side, resource, key);
    this.#objects.delete(seen);
    this.#parts.cache.objects.forget(this.#recentKey(side, seen));
    if (outcome.kind !== 'written') return;
    this.#objects.set(seen, Promise.resolve(outcome.object));
    this.#parts.cache.objects.set(this.#recentKey(side, seen), outcome.object, age);
  }

  /**
   * An accepted eviction leaves the Pod's list as it was, with the answer beside it. If any Pod turned out to be
   * gone, the list is out of date. It is read again: advancing takes evidence.
   */
  recordAnswers(answers: ReadonlyMap<string, EvictionAnswer>): void {
    for (const [uid, answer] of answers) this.answers.set(uid, answer);
    if (![...answers.values()].some((answer) => answer.kind === 'gone' || answer.kind === 'replaced')) return;
    for (const key of this.#lists.keys()) if (isListOfPods(key)) this.#lists.delete(key);
  }

  #ownerOf(side: Side): string {
    return side === 'workload' ? this.#parts.workloadName : '';
  }

  #recentKey(side: Side, seen: string): string {
    return `${this.#ownerOf(side)}|get|${seen}`;
  }

  #of(side: Side): Promise<Kubernetes> {
    return side === 'management' ? Promise.resolve(this.#parts.management) : this.#parts.workload();
  }
}
