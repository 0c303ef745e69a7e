import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { controllerOf, isTerminating, isTrue, type Pod, toKey } from '../machinery/objects.ts';
import { annotations } from '../machinery/settings.ts';

/** The group of Pods that no Node has been chosen for. */
export const unbound = '';

export const byNode = (pod: Pod): readonly string[] => [pod.spec?.nodeName ?? unbound];

export const byController = (object: KubeObject): readonly string[] => {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
};

/** Each label within its namespace, as `namespace/key=value`, and the namespace itself. */
export const byLabel = (pod: Pod): readonly string[] => {
  const namespace = pod.metadata.namespace ?? '';
  return [
    namespace,
    ...Object.entries(pod.metadata.labels ?? {}).map(([key, value]) => `${namespace}/${key}=${value}`),
  ];
};

/** The claims whose volumes the Pod uses, by key. */
export const byClaim = (pod: Pod): readonly string[] =>
  (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [toKey(pod.metadata.namespace, claim.claimName)],
  );

/** Succeeded or Failed: its containers have ended for good. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Whether the Pod counts as one of its controller's replicas. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

export function isReady(pod: Pod): boolean {
  return isTrue(pod.status?.conditions, 'Ready');
}

/** Shows a static Pod that a kubelet runs by itself. */
export function isMirror(pod: Pod): boolean {
  return pod.metadata.annotations?.[annotations.mirror] !== undefined;
}
