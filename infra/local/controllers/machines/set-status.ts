import { clusterApi, type MachineApi } from './apis.ts';
import type { MachineSet } from './machine-objects.ts';

/** The counters of a set, under the names its API has for them. A Machine is ready when its Node is. */
export function setStatus(
  api: MachineApi,
  set: MachineSet,
  { replicas, ready }: { replicas: number; ready: number },
): Record<string, unknown> {
  const common = {
    observedGeneration: set.metadata.generation ?? 1,
    replicas,
    readyReplicas: ready,
    availableReplicas: ready,
  };
  if (api !== clusterApi) return { ...common, fullyLabeledReplicas: replicas };
  const selector = selectorText(set);
  const isOld = set.apiVersion?.endsWith('/v1beta1') === true;
  return {
    ...common,
    ...(selector !== '' && { selector }),
    ...(isOld ? { fullyLabeledReplicas: replicas } : { upToDateReplicas: replicas }),
  };
}

const selectorText = ({ spec }: MachineSet): string =>
  Object.entries(spec?.selector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
