import type { Kubernetes, Resource, Selection } from '../../../shared/kubernetes/client.ts';
import { unreadIn } from '../../../shared/kubernetes/errors.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { ownGroup } from '../../../shared/machine/own-kind.ts';

type Reading = Pick<Kubernetes, 'list' | 'discover'>;

/** DeletionHooks; undefined where they could not be read. Not one request where there is no such kind. */
export async function deletionHooksOf(
  kubernetes: Reading,
  where: Selection,
): Promise<KubeObject[] | undefined> {
  const resource = await kubernetes.discover(ownGroup, 'DeletionHook', 'v1alpha1');
  return resource === undefined ? [] : listed(kubernetes, resource, where);
}

/** What could not be read is said beside the answer. */
export async function listed(
  kubernetes: Reading,
  resource: Resource,
  where: Selection,
): Promise<KubeObject[] | undefined> {
  try {
    return (await kubernetes.list(resource, where)).items;
  } catch (error) {
    if (unreadIn(error) === undefined) throw error;
    return undefined;
  }
}
