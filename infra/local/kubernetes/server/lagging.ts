import { objectKey, type Target } from '../discovery/resource.ts';
import type { Api } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { type Change, Store } from '../objects/store.ts';
import { type ApiRequest, isWatch, targetOf } from './request.ts';

/**
 * What a cache would answer from that the last changes of what is read have not reached yet. Everything is as of now
 * for any other request, and if the history no longer reaches back that far.
 */
export function lagging(api: Api, request: ApiRequest): Api {
  const { changesBehind = 0, method, query } = request;
  if (changesBehind < 1 || method !== 'GET' || query?.continue || isWatch(request)) return api;
  const target = targetOf(api.registry, request.path);
  const change = target && lastChanges(api.store, target).at(-changesBehind);
  return change === undefined ? api : { ...api, store: new PastStore(api.store, change.version - 1) };
}

function lastChanges(store: Store, { resource, namespace, name }: Target): Change[] {
  const isRead = ({ storage, object: { metadata } }: Change): boolean =>
    storage === resource.storage &&
    (namespace === undefined || metadata.namespace === namespace) &&
    (name === '' || metadata.name === name);
  return (store.since(store.forgottenUpTo) ?? []).filter(isRead);
}

/** A store as it was at an earlier version, for reading. */
class PastStore extends Store {
  readonly #now: Store;
  readonly #at: number;

  constructor(now: Store, at: number) {
    super();
    this.#now = now;
    this.#at = at;
  }

  override get version(): number {
    return this.#at;
  }

  override get(storage: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const key = objectKey(namespace, name);
    const change = this.#changes(storage).find(({ object }) => keyOf(object) === key);
    return change === undefined ? this.#now.get(storage, namespace, name) : change.previous;
  }

  override list(storage: string): readonly KubeObject[] {
    const objects = new Map(this.#now.list(storage).map((object) => [keyOf(object), object]));
    for (const { object, previous } of this.#changes(storage).toReversed()) {
      if (previous === undefined) objects.delete(keyOf(object));
      else objects.set(keyOf(object), previous);
    }
    const keys = [...objects.keys()].toSorted((one, other) => (one < other ? -1 : 1));
    return keys.flatMap((key) => objects.get(key) ?? []);
  }

  #changes(storage: string): Change[] {
    return (this.#now.since(this.#at) ?? []).filter((change) => change.storage === storage);
  }
}

const keyOf = ({ metadata }: KubeObject): string => objectKey(metadata.namespace, metadata.name);
