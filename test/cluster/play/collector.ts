import { keyOf } from '../../../infra/cli/deploy/site.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { resources } from '../kinds.ts';
import type { Site } from '../site.ts';

const foreground = 'foregroundDeletion';

/** Plays the garbage collector for Machines of v1alpha1: its finalizer is the last to go. */
export function createCollector({ kubernetes }: Site): (labelSelector: string) => Promise<void> {
  const resource = resources.v1alpha1Machines;
  return async (labelSelector) => {
    const { items } = await kubernetes.list(resource, { labelSelector });
    for (const machine of items.filter(isLeftToUs)) {
      const { resourceVersion } = machine.metadata;
      await kubernetes.mergePatch(resource, keyOf(machine), {
        metadata: { resourceVersion, finalizers: null },
      });
    }
  };
}

const isLeftToUs = ({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): boolean =>
  deletionTimestamp !== undefined && finalizers.length === 1 && finalizers[0] === foreground;
