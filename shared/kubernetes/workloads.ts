import { type Condition, groupVersionOf, type KubeObject, type OwnerReference } from './objects.ts';

/** `ReplicaSet.apps`: the kind of what makes an object. Another group may have a kind of the same name. */
export const kindOfOwner = (owner: OwnerReference): string => `${owner.kind}.${groupVersionOf(owner).group}`;

/** The fields of a Deployment that phaseout reads. */
export interface Deployment extends KubeObject {
  spec?: {
    replicas?: number;
    paused?: boolean;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string };
    };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    conditions?: Condition[];
  };
}

/** The fields of a PersistentVolumeClaim that phaseout reads. */
export interface PersistentVolumeClaim extends KubeObject {
  spec?: { accessModes?: string[] };
}
