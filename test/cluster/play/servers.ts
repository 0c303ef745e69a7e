import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { resources } from '../kinds.ts';
import type { Site } from '../site.ts';

export const serverFinalizer = 'phaseout.dev/test';

const goMilliseconds = 700;

/** Plays the provider of Cluster API: what is being deleted is gone some time later. */
export function createServers({ kubernetes, clock }: Site): (labelSelector: string) => Promise<void> {
  const askedToGo = new Map<string, number>();

  const isDue = ({ metadata }: KubeObject): boolean => {
    const { uid = '', deletionTimestamp } = metadata;
    if (deletionTimestamp === undefined) return false;
    const since = askedToGo.get(uid) ?? clock.now();
    askedToGo.set(uid, since);
    return clock.now() - since >= goMilliseconds;
  };

  return async (labelSelector) => {
    for (const resource of [resources.infrastructure, resources.bootstrap]) {
      const { items } = await kubernetes.list(resource, { labelSelector });
      const patch = { metadata: { finalizers: null } };
      await Promise.all(items.filter(isDue).map((one) => kubernetes.mergePatch(resource, keyOf(one), patch)));
    }
  };
}
