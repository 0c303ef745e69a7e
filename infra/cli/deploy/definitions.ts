import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { nameOf } from './object-name.ts';
import { isOurs } from './ours.ts';
import { keyOf, resourceOf, type Site } from './site.ts';

/** The objects without the definitions that somebody else has installed: those are the Machine API's, and stay so. */
export async function withoutForeignDefinitions(
  site: Site,
  objects: readonly KubeObject[],
): Promise<KubeObject[]> {
  const kept = await Promise.all(
    objects.map(async (object) => ((await isForeign(site, object)) ? [] : [object])),
  );
  return kept.flat();
}

async function isForeign(site: Site, object: KubeObject): Promise<boolean> {
  if (object.kind !== 'CustomResourceDefinition') return false;
  const resource = await resourceOf(site, object);
  const found = resource && (await site.kubernetes.get(resource, keyOf(object)));
  if (found === undefined || isOurs(site, found)) return false;
  site.tell({ event: 'found', text: `${nameOf(object)} is there already, and left as it is` });
  return true;
}
