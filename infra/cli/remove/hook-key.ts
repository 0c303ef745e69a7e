import { secrets } from '../../../shared/kubernetes/resources.ts';
import { hookKeyName } from '../../knative/hook-key.ts';
import { nameOf } from '../deploy/object-name.ts';
import { isOurs } from '../deploy/ours.ts';
import { keyOf, type Site } from '../deploy/site.ts';
import { takeAway } from './take-away.ts';

/**
 * Deletes the Secret that deploy made, by its name: what else is secret here is not ours to list. One that somebody else
 * made stays. Resolves with how many went. Throws CannotDo, Unavailable.
 */
export async function removeHookKey(site: Site, namespace: string): Promise<number> {
  const wanted = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: hookKeyName } };
  const found = await site.kubernetes.get(secrets, keyOf(wanted));
  if (found === undefined) return 0;
  if (!isOurs(site, found)) {
    site.tell({ event: 'found', text: `${nameOf(wanted)} stays: deploy has not made it` });
    return 0;
  }
  await takeAway(site, [{ resource: secrets, object: { ...found, apiVersion: 'v1', kind: 'Secret' } }]);
  return 1;
}
