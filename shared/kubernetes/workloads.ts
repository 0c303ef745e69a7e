import type { Condition, KubeObject } from './objects.ts';

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
