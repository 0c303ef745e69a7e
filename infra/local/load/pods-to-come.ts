import type { KubeObject } from '../kubernetes/objects/cluster.ts';

/** The controllers whose Pods a drain moves. */
const makers: ReadonlySet<string | undefined> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'Job']);

const isMade = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Pod' && (metadata.ownerReferences ?? []).some((owner) => makers.has(owner.kind));

/** Whether the objects say only which Pods there should be: somebody has to make them. A dump has those there are. */
export const leavePodsToMake = (objects: readonly KubeObject[]): boolean =>
  objects.some(({ kind }) => makers.has(kind)) && !objects.some(isMade);
