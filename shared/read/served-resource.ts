import type { Kubernetes, Resource } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import type { ObjectRef } from '../machine/machine.ts';

/**
 * Where the API serves the object: in another version where the one that refers to it was given up. Throws Unavailable
 * when it does not: that is not the same as its absence.
 */
export async function servedResource(kubernetes: Kubernetes, ref: ObjectRef): Promise<Resource> {
  const { group, kind, version, namespace, name } = ref;
  const resource =
    (await kubernetes.discover(group, kind, version)) ?? (await kubernetes.discover(group, kind));
  if (resource !== undefined) return resource;
  throw new Unavailable(
    `${kind} of ${group} is not served by the API: nothing can be said of ${namespace}/${name}`,
  );
}
