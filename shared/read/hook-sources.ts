import type { Cache } from '../cache/cache.ts';
import { withRemembered } from '../cache/hook-records.ts';
import { hookGroup, hookKind } from '../hooks/deletion-hook.ts';
import type { Kubernetes, Resource } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import type { HookRecord } from '../machine/hook-record.ts';
import type { MachineRef } from '../machine/machine.ts';
import type { Snapshot } from '../phase/snapshot.ts';
import type { Environment } from '../runtime/environment.ts';

/** What a look at a Machine knows of DeletionHooks. */
export type HookSources = Pick<Snapshot, 'deletionHooks' | 'hookRecords' | 'hasHookKey' | 'deliversCalls'>;

/** The same, for one Machine. What the store remembers is read once; what this instance learns counts at once. */
export function hookSourcesFor(env: Environment, machine: MachineRef): HookSources {
  const { uid: machineUid, namespace } = machine;
  const { store, cache } = env;
  let stored: Promise<HookRecord[]> | undefined;
  return {
    deletionHooks: (where, maxAge) => deletionHooksIn(where, env, maxAge),
    async hookRecords() {
      stored ??= store.hookRecords(machineUid);
      return withRemembered(cache, machineUid, await stored);
    },
    hasHookKey: async () => (await env.hooks?.key()) !== undefined,
    deliversCalls: async (name) => env.hooks?.delivers?.({ namespace, name }, machine),
  };
}

/** The DeletionHooks of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
export async function deletionHooksIn(
  namespace: string,
  { management, cache }: { management: Kubernetes; cache: Cache },
  maxAgeMilliseconds: number,
): Promise<KubeObject[] | undefined> {
  const resource = await management.discover(hookGroup, hookKind, undefined, 'kept');
  if (resource === undefined) return undefined;
  const hooks = await cache.lists.get(listKey(namespace), maxAgeMilliseconds, () =>
    management.list(resource, { namespace }),
  );
  return hooks.items;
}

/** DeletionHooks, as the API serves them. */
export interface ListedHooks {
  resource: Resource;
  items: readonly KubeObject[];
}

/**
 * All DeletionHooks of our namespaces, read now; undefined if the kind is not served. Looks that follow have those of a
 * namespace from here. Throws Unavailable.
 */
export async function listDeletionHooks(env: Environment): Promise<ListedHooks | undefined> {
  const { management, cache, clock, settings } = env;
  const resource = await management.discover(hookGroup, hookKind, undefined, 'kept');
  if (resource === undefined) return undefined;
  const selections =
    settings.namespaces.length === 0 ? [{}] : settings.namespaces.map((namespace) => ({ namespace }));
  const age = clock.stopwatch();
  const lists = await Promise.all(selections.map((selection) => management.list(resource, selection)));
  const items = lists.flatMap((list) => list.items);
  for (const [namespace, those] of Map.groupBy(items, ({ metadata }) => metadata.namespace ?? ''))
    cache.lists.set(listKey(namespace), { items: those, resourceVersion: '' }, age);
  return { resource, items };
}

const listKey = (namespace: string): string => `hooks|${namespace}`;
