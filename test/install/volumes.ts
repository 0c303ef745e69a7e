import type { Resource } from '../../shared/kubernetes/client.ts';
import { persistentVolumes } from '../../shared/kubernetes/resources.ts';
import type { Site } from '../cluster/site.ts';
import { home } from './stage.ts';

const storageClasses: Resource = { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' };

/**
 * Offers the volume of a store that was removed again, as an administrator does, where nothing makes volumes. Resolves
 * with the names of those that were.
 */
export async function offerVolumes({ kubernetes }: Site): Promise<string[]> {
  const classes = await kubernetes.list(storageClasses);
  if (classes.items.length > 0) return [];
  const { items } = await kubernetes.list(persistentVolumes);
  const released = items.filter(({ spec, status }) => {
    const { namespace, name } = Object(Object(spec).claimRef);
    return Object(status).phase === 'Released' && namespace === home && name === 'phaseout-dynamodb';
  });
  for (const { metadata } of released)
    await kubernetes.mergePatch(persistentVolumes, { name: metadata.name }, { spec: { claimRef: null } });
  return released.map(({ metadata }) => metadata.name);
}
