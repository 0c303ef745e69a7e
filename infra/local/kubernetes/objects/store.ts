import { objectKey } from '../discovery/resource.ts';
import { freeze } from '../server/json.ts';
import type { KubeObject } from './cluster.ts';

/** One write, as watches need it: what there was before decides whether a selector sees it come or go. */
export interface Change {
  readonly version: number;
  readonly storage: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

type Listener = (change: Change) => void;

interface Collection {
  readonly objects: Map<string, KubeObject>;
  readonly sortedKeys: string[];
  sorted: readonly KubeObject[] | undefined;
}

/** Changes kept for watches that resume; older resourceVersions answer 410. */
const keptChanges = 20_000;

/** Lists kept for paged reads; a client that comes back later starts again, or continues with the current list. */
const keptLists = 500;

/** Objects by resource, in the order of their keys. It counts versions and keeps a log of the last changes. */
export class Store {
  #version = 1;
  #forgottenUpTo = 1;
  readonly #collections = new Map<string, Collection>();
  readonly #log: Change[] = [];
  readonly #kept = new Map<string, readonly KubeObject[]>();
  readonly #listeners = new Set<Listener>();
  readonly #listenersTo = new Map<string, Set<Listener>>();

  get version(): number {
    return this.#version;
  }

  /** The last version whose successors may no longer all be known. */
  get forgottenUpTo(): number {
    return this.#forgottenUpTo;
  }

  get(storage: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#collections.get(storage)?.objects.get(objectKey(namespace, name));
  }

  /** All objects, sorted by key. The list stays as it is when the store changes. */
  list(storage: string): readonly KubeObject[] {
    const collection = this.#collections.get(storage);
    if (!collection) return [];
    collection.sorted ??= collection.sortedKeys.flatMap((key) => collection.objects.get(key) ?? []);
    return collection.sorted;
  }

  /** Stores the object under a new resourceVersion. */
  put(storage: string, object: KubeObject): KubeObject {
    const collection = this.#collection(storage);
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = collection.objects.get(key);
    const stored = this.#stamped(object);
    if (!previous) collection.sortedKeys.splice(positionOf(collection.sortedKeys, key), 0, key);
    collection.objects.set(key, stored);
    collection.sorted = undefined;
    this.#record({
      version: this.#version,
      storage,
      type: previous ? 'MODIFIED' : 'ADDED',
      object: stored,
      previous,
    });
    return stored;
  }

  /** Removes the object; the answer is its last state under the version of the removal. */
  drop(storage: string, object: KubeObject): KubeObject {
    const collection = this.#collection(storage);
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = collection.objects.get(key) ?? object;
    const last = this.#stamped(previous);
    collection.objects.delete(key);
    collection.sortedKeys.splice(positionOf(collection.sortedKeys, key), 1);
    collection.sorted = undefined;
    this.#record({ version: this.#version, storage, type: 'DELETED', object: last, previous });
    return last;
  }

  /** Keeps the current list for clients that read it page by page. */
  keep(storage: string): void {
    const key = `${storage}@${this.#version}`;
    if (this.#kept.has(key)) return;
    this.#kept.set(key, this.list(storage));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptLists && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The list as it was at the version, if it was kept. */
  keptAt(storage: string, version: number): readonly KubeObject[] | undefined {
    return this.#kept.get(`${storage}@${version}`);
  }

  /** The changes after the version, or undefined when some of them are forgotten. */
  since(version: number): readonly Change[] | undefined {
    if (version < this.#forgottenUpTo) return undefined;
    return this.#log.slice(firstIndex(this.#log, (change) => change.version > version));
  }

  /** Forgets all changes so far, as a compaction does. */
  forget(): void {
    this.#forgottenUpTo = this.#version;
    this.#log.length = 0;
  }

  /** Reports every change from now on, before the listeners of one resource. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells of every change of one resource's objects from now on. */
  onChangeOf(storage: string, listener: Listener): () => void {
    const listeners = this.#listenersTo.get(storage) ?? new Set();
    this.#listenersTo.set(storage, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  #stamped(object: KubeObject): KubeObject {
    this.#version += 1;
    return freeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } });
  }

  #record(change: Change): void {
    this.#log.push(change);
    if (this.#log.length > keptChanges * 2) {
      this.#log.splice(0, keptChanges);
      this.#forgottenUpTo = (this.#log[0]?.version ?? this.#version + 1) - 1;
    }
    for (const listener of this.#listeners) listener(change);
    for (const listener of this.#listenersTo.get(change.storage) ?? []) listener(change);
  }

  #collection(storage: string): Collection {
    const known = this.#collections.get(storage);
    if (known) return known;
    const created: Collection = { objects: new Map(), sortedKeys: [], sorted: undefined };
    this.#collections.set(storage, created);
    return created;
  }
}

/** Where the key is, or would go, in a sorted list. */
function positionOf(sorted: readonly string[], key: string): number {
  return firstIndex(sorted, (item) => item >= key);
}

/** The first index from which on the test holds; it must not stop holding after that. */
export function firstIndex<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
