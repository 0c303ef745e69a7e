import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';
import { kubeObject } from '../../../infra/local/kubernetes/objects/kube-object.ts';

const added = new Set(['waitForPreDrainHookStartTime', 'waitForPreTerminateHookStartTime']);

/** The definition without the times that releases of Cluster API before 1.14 do not have. */
export const withoutHookTimes = (definition: KubeObject): KubeObject =>
  kubeObject(
    JSON.parse(JSON.stringify(definition, (key, value: unknown) => (added.has(key) ? undefined : value))),
  );
