import type { Cluster, KubeObject } from '../../kubernetes/objects/cluster.ts';
import { fromKey, keyOf, uidOf } from './objects.ts';

/**
 * All objects of one resource. A watch keeps them current, so that no controller lists the cluster for one event. A
 * notification only says which object to read again: a late one brings no old state back.
 */
export class Informer<T extends KubeObject> {
  readonly resource: string;
  readonly #cluster: Cluster;
  readonly #objects = new Map<string, T>();
  readonly #groupings = new Map<Grouping<T>, Groups>();
  readonly #listeners: ((change: Change<T>) => void)[] = [];
  #unwatch: (() => void) | undefined;

  constructor(cluster: Cluster, resource: string) {
    this.#cluster = cluster;
    this.resource = resource;
  }

  /** Begins to watch; the resource must be served by now. */
  connect(): void {
    if (this.#unwatch !== undefined) return;
    this.#unwatch = this.#cluster.watch(this.resource, (event) => this.refresh(keyOf(event.object)));
    for (const object of this.#cluster.list(this.resource)) this.#become(keyOf(object), this.#typed(object));
  }

  /** The resource is no longer served: all of its objects are gone. */
  disconnect(): void {
    this.stop();
    for (const key of this.#objects.keys()) this.#become(key, undefined);
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  all(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Members of one group, in the order in which they joined it. */
  in(grouping: Grouping<T>, group: string): T[] {
    const members: T[] = [];
    for (const key of this.#groups(grouping).get(group) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) members.push(object);
    }
    return members;
  }

  count(grouping: Grouping<T>, group: string): number {
    return this.#groups(grouping).get(group)?.size ?? 0;
  }

  /** Tells of every change from now on, and first of every object there is. */
  onChange(listener: (change: Change<T>) => void): void {
    this.#listeners.push(listener);
    for (const [key, after] of this.#objects) listener({ key, before: undefined, after });
  }

  /** Has each object looked at as it comes or changes, and forgotten by its UID when it is gone. */
  follow(queue: { add(key: string): void }, forget: (uid: string) => void): void {
    this.onChange(({ key, before, after }) => {
      if (after !== undefined) queue.add(key);
      else if (before !== undefined) forget(uidOf(before));
    });
  }

  /** Reads one object again. Writers call it too, so that they never act on what they have just changed. */
  refresh(key: string): void {
    const object = this.#read(key);
    this.#become(key, object && this.#typed(object));
  }

  #read(key: string): KubeObject | undefined {
    const { namespace, name } = fromKey(key);
    try {
      return this.#cluster.get(this.resource, namespace, name);
    } catch (error) {
      // A definition may be withdrawn while changes of its objects are still being told.
      if (!this.#cluster.resources().includes(this.resource)) return undefined;
      throw error;
    }
  }

  #become(key: string, after: T | undefined): void {
    const before = this.#objects.get(key);
    if (isSame(before, after)) return;
    // A name taken over by another object between two looks is an end and a beginning.
    if (before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid) {
      this.#become(key, undefined);
      this.#become(key, after);
      return;
    }
    for (const [grouping, groups] of this.#groupings) regroup(groups, grouping, { key, before, after });
    if (after === undefined) this.#objects.delete(key);
    else this.#objects.set(key, after);
    for (const listener of this.#listeners) listener({ key, before, after });
  }

  // The API server that stored it is trusted, and every field of these types may be absent.
  #typed(object: KubeObject): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a resource has objects of one kind
    return object as T;
  }

  #groups(grouping: Grouping<T>): Groups {
    const known = this.#groupings.get(grouping);
    if (known !== undefined) return known;
    const groups: Groups = new Map();
    for (const [key, after] of this.#objects) regroup(groups, grouping, { key, before: undefined, after });
    this.#groupings.set(grouping, groups);
    return groups;
  }
}

function isSame(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    before.metadata.uid === after.metadata.uid &&
    before.metadata.resourceVersion === after.metadata.resourceVersion
  );
}

/** What happened to one object between two looks: it appeared (no before), changed, or went (no after). */
interface Change<T> {
  key: string;
  before: T | undefined;
  after: T | undefined;
}

/** Names the groups an object belongs to, for example the Node a Pod runs on. */
export type Grouping<T> = (object: T) => readonly string[];

/** Keys of the members of each group. */
type Groups = Map<string, Set<string>>;

/** Moves one object to the groups it belongs to after a change. */
function regroup<T>(groups: Groups, grouping: Grouping<T>, change: Change<T>): void {
  const old = change.before === undefined ? [] : grouping(change.before);
  const current = change.after === undefined ? [] : grouping(change.after);
  for (const group of old) if (!current.includes(group)) leave(groups, group, change.key);
  for (const group of current) join(groups, group, change.key);
}

function join(groups: Groups, group: string, key: string): void {
  const members = groups.get(group);
  if (members === undefined) groups.set(group, new Set([key]));
  else members.add(key);
}

function leave(groups: Groups, group: string, key: string): void {
  const members = groups.get(group);
  members?.delete(key);
  if (members?.size === 0) groups.delete(group);
}
