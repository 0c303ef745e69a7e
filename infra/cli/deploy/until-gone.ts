import type { Resource } from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { untilGone } from '../run/until-gone.ts';
import { keyOf, type Site } from './site.ts';

const patienceMilliseconds = 60_000;

/** Whether this very object was gone within a minute; also false if the user interrupts the wait. */
export function untilObjectGone(site: Site, resource: Resource, object: KubeObject): Promise<boolean> {
  const { kubernetes, clock, interrupted: signal } = site;
  const until = clock.now() + patienceMilliseconds;
  return untilGone(
    { resource, key: keyOf(object), uid: object.metadata.uid },
    { kubernetes, clock, signal, until },
  );
}
