import type { Cache } from '../cache/cache.ts';
import type { Kubernetes, Resource } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { policyGroup, policyKind } from '../policies/drain-policy.ts';
import type { Environment } from '../runtime/environment.ts';

/** What serves DrainPolicies; undefined where nothing does. An overview of some minutes ago may say so. */
export const policyResource = (management: Kubernetes): Promise<Resource | undefined> =>
  management.discover(policyGroup, policyKind, undefined, 'kept');

/** The DrainPolicies of a namespace, at most `maxAgeMilliseconds` old; undefined if the kind is not served. */
export async function drainPoliciesIn(
  namespace: string,
  { management, cache }: { management: Kubernetes; cache: Cache },
  maxAgeMilliseconds: number,
): Promise<KubeObject[] | undefined> {
  const resource = await policyResource(management);
  if (resource === undefined) return undefined;
  const { items } = await cache.lists.get(listKey(namespace), maxAgeMilliseconds, () =>
    management.list(resource, { namespace }),
  );
  return items;
}

/** The same, by a read that begins after now. Looks at the same moment share it. */
export async function drainPoliciesNow(
  namespace: string,
  { management, cache, clock }: Pick<Environment, 'management' | 'cache' | 'clock'>,
): Promise<KubeObject[]> {
  const resource = await policyResource(management);
  if (resource === undefined) return [];
  const key = listKey(namespace);
  const age = clock.stopwatch();
  const list = await cache.nextLists.get(key, () => management.list(resource, { namespace }));
  cache.lists.set(key, list, age);
  return list.items;
}

/** Our own write has changed one of them. */
export const forgetDrainPolicies = (cache: Cache, namespace: string): void =>
  cache.lists.forget(listKey(namespace));

/** DrainPolicies, as the API serves them. */
export interface ListedPolicies {
  resource: Resource;
  items: readonly KubeObject[];
}

/** All DrainPolicies of our namespaces, read now; undefined if the kind is not served. Throws Unavailable. */
export async function listDrainPolicies(env: Environment): Promise<ListedPolicies | undefined> {
  const { management, cache, clock, settings } = env;
  const resource = await policyResource(management);
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

const listKey = (namespace: string): string => `policies|${namespace}`;
