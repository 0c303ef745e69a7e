import type { KubeObject } from '../../kubernetes/objects/cluster.ts';
import { ownedBy } from '../workloads/replicas.ts';
import type { MachineSet } from './machine-objects.ts';

/** A Machine of the set's template, hooks included; the API server completes its name. */
export function machineFrom(set: MachineSet): KubeObject {
  const { labels, annotations } = set.spec?.template?.metadata ?? {};
  return {
    apiVersion: set.apiVersion ?? '',
    kind: 'Machine',
    metadata: {
      name: '',
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace ?? '',
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ownerReferences: [ownedBy(set)],
    },
    spec: set.spec?.template?.spec ?? {},
  };
}
