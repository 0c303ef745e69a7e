import type { KubernetesForTools } from '../../../shared/adapters/kubernetes/install-client.ts';
import type { Key, Resource } from '../../../shared/kubernetes/client.ts';
import { Unavailable } from '../../../shared/kubernetes/errors.ts';
import { groupVersionOf, type KubeObject } from '../../../shared/kubernetes/objects.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { OthersNode } from '../look/others-node.ts';
import { pause, untilGone } from '../run/until-gone.ts';
import type { Tell } from './report.ts';

/** A cluster for deploy or remove, and the receiver of their reports. */
export interface Site {
  kubernetes: KubernetesForTools;
  /** The name in serverless.yml, which all that is installed carries. */
  service: string;
  /** The cluster's address, for messages. */
  where: string;
  clock: Clock;
  /** Aborted when the user does not want to wait any longer. */
  interrupted: AbortSignal;
  tell: Tell;
  othersNode: OthersNode;
}

/** Where the cluster serves an object's kind at its version; undefined when it does not. */
export function resourceOf({ kubernetes }: Site, object: KubeObject): Promise<Resource | undefined> {
  const { group, version } = groupVersionOf(object);
  return kubernetes.discover(group, object.kind ?? '', version);
}

export const keyOf = ({ metadata: { name, namespace } }: KubeObject): Key => ({
  name,
  ...(namespace !== undefined && { namespace }),
});

const pausesMilliseconds = [1_000, 3_000];

/** Asks again when the cluster could not answer: Knative's webhooks are briefly away during their rollout. */
export async function persistently<T>({ clock, interrupted }: Site, ask: () => Promise<T>): Promise<T> {
  for (const milliseconds of pausesMilliseconds) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable) || interrupted.aborted) throw error;
      await pause(milliseconds, clock, interrupted);
    }
  }
  return ask();
}

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
