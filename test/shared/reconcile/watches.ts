import type {
  ChangeType,
  Resource,
  Selection,
  WatchListener,
  WorkloadCluster,
} from '../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';

export interface OpenWatch {
  resource: Resource;
  selection: Selection;
  resourceVersion: string;
  isStopped: boolean;
  change(type: ChangeType, object: KubeObject): void;
  end(expired: boolean): void;
}

/** A wait for an object of the infrastructure to be gone. */
export const serverGone = {
  kind: 'object-gone',
  side: 'management',
  resource: { group: 'infra.example', version: 'v1', plural: 'servers' },
  key: { namespace: 'default', name: 'm-1' },
  uid: 'server-uid',
  resourceVersion: '30',
} as const;

const never = (): never => {
  throw new Error('a wake-up only watches');
};

/** An API that is only watched: what is watched for is seen, and the test reports the changes. */
export function watchedApi(): { api: WorkloadCluster; watches: OpenWatch[] } {
  const watches: OpenWatch[] = [];
  const watch = (
    resource: Resource,
    selection: Selection,
    resourceVersion: string,
    listener: WatchListener,
  ): (() => void) => {
    const open: OpenWatch = {
      resource,
      selection,
      resourceVersion,
      isStopped: false,
      change: (type, object) => listener.changed(type, object),
      end: (expired) => listener.ended(expired),
    };
    watches.push(open);
    return () => {
      open.isStopped = true;
    };
  };
  const api: WorkloadCluster = {
    get: never,
    list: never,
    mergePatch: never,
    jsonPatch: never,
    create: never,
    delete: never,
    evict: never,
    evictAll: never,
    discover: never,
    watch,
  };
  return { api, watches };
}
