import type { Cache } from '../cache/cache.ts';
import type { Kubernetes, ObjectList } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';

const notServed: ObjectList = { items: [], resourceVersion: '' };

/** The MachineDrainRules of a namespace, as they were a while ago at most; undefined where the kind is not served. */
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
