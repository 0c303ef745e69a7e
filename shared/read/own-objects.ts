import type { Cache } from '../cache/cache.ts';
import type { Kubernetes, Resource } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { type OwnKind, ownGroup } from '../machine/own-kind.ts';
import type { Environment } from '../runtime/environment.ts';

/** What serves a kind of ours; undefined where nothing does. An overview of some minutes ago may say so. */
export const ownResource = (management: Kubernetes, kind: OwnKind): Promise<Resource | undefined> =>
  management.discover(ownGroup, kind, undefined, 'kept');

/** The objects of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
export async function ownObjectsIn(
  { kind, namespace }: { kind: OwnKind; namespace: string },
  { management, cache }: { management: Kubernetes; cache: Cache },
  maxAgeMilliseconds: number,
): Promise<KubeObject[] | undefined> {
  const resource = await ownResource(management, kind);
  if (resource === undefined) return undefined;
  const { items } = await cache.lists.get(keyOf(kind, namespace), maxAgeMilliseconds, () =>
    management.list(resource, { namespace }),
  );
  return items;
}

/** The same, by a read that begins after now; empty if the kind is not served. Looks at the same moment share it. */
export async function ownObjectsNow(
  { kind, namespace }: { kind: OwnKind; namespace: string },
  { management, cache, clock }: Pick<Environment, 'management' | 'cache' | 'clock'>,
): Promise<KubeObject[]> {
  const resource = await ownResource(management, kind);
  if (resource === undefined) return [];
  const key = keyOf(kind, namespace);
  const age = clock.stopwatch();
  const list = await cache.nextLists.get(key, () => management.list(resource, { namespace }));
  cache.lists.set(key, list, age);
  return list.items;
}

/** Our own write has changed one of them. */
export const forgetOwnObjects = (cache: Cache, kind: OwnKind, namespace: string): void =>
  cache.lists.forget(keyOf(kind, namespace));

/** Objects of a kind of ours, as the API serves them. */
export interface ListedOwn {
  resource: Resource;
  items: readonly KubeObject[];
}

/**
 * All of a kind in our namespaces, read now; undefined if the kind is not served. Looks that follow have those of a
 * namespace from here. Throws Unavailable.
 */
export async function listOwnObjects(env: Environment, kind: OwnKind): Promise<ListedOwn | undefined> {
  const { management, cache, clock, settings } = env;
  const resource = await ownResource(management, kind);
  if (resource === undefined) return undefined;
  const selections =
    settings.namespaces.length === 0 ? [{}] : settings.namespaces.map((namespace) => ({ namespace }));
  const age = clock.stopwatch();
  const lists = await Promise.all(selections.map((selection) => management.list(resource, selection)));
  const items = lists.flatMap((list) => list.items);
  for (const [namespace, those] of Map.groupBy(items, ({ metadata }) => metadata.namespace ?? ''))
    cache.lists.set(keyOf(kind, namespace), { items: those, resourceVersion: '' }, age);
  return { resource, items };
}

const keyOf = (kind: OwnKind, namespace: string): string => `${kind}|${namespace}`;
