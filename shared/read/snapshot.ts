import type { DeleteAnswer, Existence } from '../actuator/port.ts';
import { memoize } from '../async/shared-reads.ts';
import type { BlockedAction } from '../blocked/entry.ts';
import type { Tried } from '../blocked/prospect.ts';
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
import type { PolicySources } from '../phase/places.ts';
import type { Kept, NodeFinder, Observations, Referred, Snapshot } from '../phase/snapshot.ts';
import type { Instant, Stopwatch } from '../time/clock.ts';
import {
  drainRulesIn,
  isListOfPods,
  KnownDeletions,
  KnownPods,
  listKey,
  objectKey,
  Reads,
  recentKey,
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
  readonly tried = new Map<string, Tried>();
  readonly beganAt: Instant;
  readonly reads: Reads;
  readonly isForesight: boolean = false;
  readonly now = (): Instant => this.#parts.clock.now();
  readonly #parts: SnapshotSources;
  readonly #pods: KnownPods;
  readonly policies: PolicySources;
  readonly actions: ReadonlySet<BlockedAction>;
  readonly considersVolumeAttachments: boolean;
  termination: DeleteAnswer | undefined;
  readonly deletions: KnownDeletions;

  constructor(parts: SnapshotSources) {
    this.#parts = parts;
    this.beganAt = parts.beganAt;
    this.policies = parts.policies;
    this.actions = parts.actions;
    this.considersVolumeAttachments = parts.considersVolumeAttachments;
    this.reads = new Reads(parts.reads);
    this.deletions = new KnownDeletions(parts.deletions);
    this.#pods = new KnownPods(parts.store, parts.cache, parts.machineUid);
  }

  get(side: Side, resource: Resource, key: Key): Promise<KubeObject | undefined> {
    return memoize(this.reads.objects, objectKey(side, resource, key), async () =>
      (await this.#of(side)).get(resource, key),
    );
  }

  list(side: Side, resource: Resource, selection: Selection = {}): Promise<ObjectList> {
    return memoize(this.reads.lists, listKey(side, resource, selection), async () =>
      (await this.#of(side)).list(resource, selection),
    );
  }

  readonly recentList: Snapshot['recentList'] = (side, resource, selection, maxAgeMilliseconds) => {
    const key = `${this.#ownerOf(side)}|${listKey(side, resource, selection)}`;
    return this.#parts.cache.lists.get(key, maxAgeMilliseconds, async () =>
      (await this.#of(side)).list(resource, selection),
    );
  };

  readonly sharedList: Snapshot['sharedList'] = (side, resource, hold, maxAgeMilliseconds = 0) => {
    const key = listKey(side, resource, {});
    const shared = `${this.#ownerOf(side)}|held|${key}`;
    const { nextLists, lists } = this.#parts.cache;
    const read = async (): Promise<ObjectList> => (await this.#of(side)).list(resource, {}, hold);
    // A look that finds something in an older list reads it once more.
    return memoize(this.reads.lists, maxAgeMilliseconds > 0 ? `${key}|recent` : key, () =>
      maxAgeMilliseconds > 0 ? lists.get(shared, maxAgeMilliseconds, read) : nextLists.get(shared, read),
    );
  };

  async recentGet(side: Side, resource: Resource, key: Key, kept: Kept): Promise<KubeObject | undefined> {
    const seen = objectKey(side, resource, key);
    // The answer to an effect of this look is newer than anything remembered.
    if (this.reads.objects.has(seen)) return this.get(side, resource, key);
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
  readonly recordPods = (records: readonly PodRecord[]): void => this.#pods.learn(records);
  readonly drainRules: Snapshot['drainRules'] = (namespace, maxAge) =>
    drainRulesIn(namespace, this.#parts, maxAge);

  get nodeFinder(): NodeFinder {
    return this.#parts.nodeFinder;
  }

  readonly nodeDeletion = (hasNode: boolean): Promise<NodeDeletion> => this.#parts.nodeDeletion(hasNode);

  readonly recordTried = (podUid: string, outcome: Tried): void => void this.tried.set(podUid, outcome);
  readonly recordTermination = (answer: DeleteAnswer): void => void (this.termination = answer);
  readonly serverExistence = (): Promise<Existence> => this.#parts.actuator.exists(this.#parts.target);

  readonly podRecords = (): Promise<ReadonlyMap<string, PodRecord>> => this.#pods.records();
  readonly deletionHooks: Snapshot['deletionHooks'] = (...asked) => this.#parts.hooks.deletionHooks(...asked);
  readonly hookRecords: Snapshot['hookRecords'] = () => this.#parts.hooks.hookRecords();
  readonly hasHookKey: Snapshot['hasHookKey'] = () => this.#parts.hooks.hasHookKey();
  readonly deliversCalls: Snapshot['deliversCalls'] = (name) => this.#parts.hooks.deliversCalls(name);
  readonly deletion = (uid: string): DeleteOutcome | undefined => this.deletions.of(uid);

  recordDeletion(target: Target & { uid: string }, outcome: DeleteOutcome): void {
    const seen = objectKey(target.side, target.resource, target.key);
    this.deletions.record(seen, target.uid, outcome);
    this.#parts.cache.objects.forget(this.#recentKey(target.side, seen));
    if (outcome.kind === 'deleting') this.reads.objects.set(seen, Promise.resolve(outcome.object));
    if (outcome.kind === 'gone') this.reads.objects.set(seen, Promise.resolve(undefined));
    if (outcome.kind === 'replaced') this.reads.objects.delete(seen);
  }

  readonly wasReplaced = (side: Side, resource: Resource, key: Key): boolean =>
    this.deletions.haveFoundAnother(objectKey(side, resource, key));

  /** The answer of a write is the object for the next looks, too. `age`: since the write began. */
  recordWrite({ side, resource, key }: Target, outcome: WriteOutcome, age: Stopwatch): void {
    const seen = objectKey(side, resource, key);
    this.reads.objects.delete(seen);
    this.#parts.cache.objects.forget(this.#recentKey(side, seen));
    if (outcome.kind !== 'written') return;
    this.reads.objects.set(seen, Promise.resolve(outcome.object));
    this.#parts.cache.objects.set(this.#recentKey(side, seen), outcome.object, age);
  }

  /**
   * An accepted eviction leaves the Pod's list as it was, with the answer beside it. If any Pod turned out to be
   * gone, the list is out of date. It is read again: advancing takes evidence.
   */
  recordAnswers(answers: ReadonlyMap<string, EvictionAnswer>): void {
    for (const [uid, answer] of answers) this.answers.set(uid, answer);
    if (![...answers.values()].some((answer) => answer.kind === 'gone' || answer.kind === 'replaced')) return;
    this.forgetPods();
  }

  forgetPods(): void {
    for (const key of this.reads.lists.keys()) if (isListOfPods(key)) this.reads.lists.delete(key);
  }

  readonly #ownerOf = (side: Side): string => (side === 'workload' ? this.#parts.workloadName : '');
  readonly #recentKey = (side: Side, seen: string): string => recentKey(this.#ownerOf(side), seen);

  #of(side: Side): Promise<Kubernetes> {
    return side === 'management' ? Promise.resolve(this.#parts.management) : this.#parts.workload();
  }
}
