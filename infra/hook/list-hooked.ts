import type { Kubernetes, Resource, Selection } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';

/** Machines with a hook of this name, whatever its value, and only their metadata: a cluster may have thousands. */
export async function listHooked(
  kubernetes: Pick<Kubernetes, 'list'>,
  { resource, hook }: { resource: Resource; hook: string },
  where: Selection = {},
): Promise<KubeObject[]> {
  const { items } = await kubernetes.list(resource, where, ({ metadata }) =>
    metadata.annotations?.[hook] === undefined ? undefined : { metadata },
  );
  return items;
}
