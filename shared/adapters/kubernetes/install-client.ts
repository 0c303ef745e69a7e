import type { DeleteOutcome, Key, Resource } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { type ApplyOptions, type ApplyOutcome, applyObject } from './apply.ts';
import { type ConnectedKubernetes, type ConnectOptions, kubernetesOver, transportTo } from './connect.ts';
import { deleteObject } from './delete.ts';
import type { KubeConfig } from './kube-config.ts';

/** An API server client for installing: it does what no function may do. */
export interface KubernetesForTools extends ConnectedKubernetes {
  /** Server-side apply. Throws Unavailable. */
  apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<ApplyOutcome>;
  /** Deletes the object with this UID, and afterwards what it owns: a Job would leave its Pods behind. */
  deleteWithDependents(resource: Resource, key: Key, uid: string): Promise<DeleteOutcome>;
}

/** The API server of the kubeconfig's current context. Opens no connection before the first request. */
export function connectTools(kubeConfig: KubeConfig, options: ConnectOptions): KubernetesForTools {
  const transport = transportTo(kubeConfig, options);
  return {
    ...kubernetesOver(transport, options),
    apply: (resource, object, how) => applyObject(transport, resource, object, how),
    deleteWithDependents: (resource, key, uid) =>
      deleteObject(transport, resource, key, { uid, propagationPolicy: 'Background' }),
  };
}
