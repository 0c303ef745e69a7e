import type { OurHook } from '../../shared/dialects/beside/hook.ts';
import type { Kubernetes, Resource, Selection } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/** Machines with a hook of this name, whosever it is, and only what is needed of them: a cluster may have thousands. */
export async function listHooked(
  kubernetes: Pick<Kubernetes, 'list'>,
  { resource, hook }: { resource: Resource; hook: OurHook },
  where: Selection = {},
): Promise<KubeObject[]> {
  const { items } = await kubernetes.list(resource, where, (machine) =>
    hook.ownerOn(machine) === undefined ? undefined : hook.part(machine),
  );
  return items;
}
