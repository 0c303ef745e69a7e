import type { Cache } from '../cache/cache.ts';
import type { Kubernetes, Resource } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { policyGroup, policyKind } from '../policies/drain-policy.ts';

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

const listKey = (namespace: string): string => `policies|${namespace}`;
