import type { KubeObject, Node, Pod } from '../kubernetes/objects.ts';
import type { Deployment, PersistentVolumeClaim } from '../kubernetes/workloads.ts';

/** An object as a look has found it. What could not be read is not absent. */
export type Found<T> = { kind: 'found'; object: T } | { kind: 'absent' } | { kind: 'unread'; why: string };

/** All that decides whether the Deployment of a Pod is restarted. */
export interface RolloutSeen {
  pod: Pod;
  node: Found<Node>;
  replicaSet: Found<KubeObject>;
  deployment: Found<Deployment>;
  /** By name. */
  claims: ReadonlyMap<string, Found<PersistentVolumeClaim>>;
}
