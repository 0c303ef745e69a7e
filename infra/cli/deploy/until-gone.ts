import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { CouldNotLook, type Resource } from '../../../shared/kubernetes/port.ts';
import { pause } from '../run/until-gone.ts';
import { keyOf, type Site } from './site.ts';

const lookMilliseconds = 500;
const patienceMilliseconds = 60_000;

/** Whether this very object was gone within a minute; false as well when the user did not want to wait. */
export async function untilObjectGone(site: Site, resource: Resource, object: KubeObject): Promise<boolean> {
  const { kubernetes, clock, interrupted } = site;
  const until = clock.now() + patienceMilliseconds;
  while (clock.now() < until && !interrupted.aborted) {
    try {
      const found = await kubernetes.get(resource, keyOf(object));
      if (found?.metadata.uid !== object.metadata.uid) return true;
    } catch (error) {
      if (!(error instanceof CouldNotLook)) throw error;
    }
    await pause(lookMilliseconds, clock, interrupted);
  }
  return false;
}
