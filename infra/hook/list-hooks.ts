import type { Kubernetes, Selection } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { ownGroup } from '../../shared/machine/own-kind.ts';

/** DeletionHooks, read now. None where they are not served. Throws Unavailable. */
export async function deletionHooksOf(
  kubernetes: Pick<Kubernetes, 'discover' | 'list'>,
  where: Selection,
): Promise<KubeObject[]> {
  const resource = await kubernetes.discover(ownGroup, 'DeletionHook', 'v1alpha1');
  return resource === undefined ? [] : (await kubernetes.list(resource, where)).items;
}
