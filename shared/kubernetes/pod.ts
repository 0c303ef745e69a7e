import type { OwnerReference, Pod } from './objects.ts';

/** `namespace/name`, the bare name where there is no namespace: as messages show Pods, and as they are sorted. */
export const podName = ({ metadata: { namespace, name } }: Pod): string =>
  namespace ? `${namespace}/${name}` : name;

/** UID of the Pod; empty where it has none. */
export const uidOf = (pod: Pod): string => pod.metadata.uid ?? '';

/** It has run to its end, well or badly; its object may still be there. */
export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Whether the Pod has a deletionTimestamp. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** Whether the Pod's condition Ready is True. */
export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.find((condition) => condition.type === 'Ready')?.status === 'True';

/** The owner that answers for it, if it has one. */
export const controllerOf = (pod: Pod): OwnerReference | undefined =>
  pod.metadata.ownerReferences?.find((owner) => owner.controller === true);
