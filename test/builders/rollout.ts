import type { RolloutSeen } from '../../shared/blocked/rollout-seen.ts';
import type { Deployment } from '../../shared/kubernetes/workloads.ts';
import { pod } from './pods.ts';

const revision = 'deployment.kubernetes.io/revision';

interface DeploymentParts {
  metadata?: object;
  spec?: object | undefined;
  status?: object;
}

/** A Deployment of one replica that may be restarted. */
export function aDeployment({ metadata, spec, status }: DeploymentParts = {}): Deployment {
  return {
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'web-uid',
      resourceVersion: '7',
      generation: 2,
      annotations: { [revision]: '3' },
      ...metadata,
    },
    spec: { replicas: 1, strategy: { type: 'RollingUpdate' }, ...spec },
    status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1, ...status },
  };
}

/** All that is read for the restart of that Deployment. */
export function aRolloutSeen(parts: Partial<RolloutSeen> = {}): RolloutSeen {
  return {
    pod: { ...pod('shop/web-1'), spec: { nodeName: 'node-1' } },
    node: { kind: 'found', object: { metadata: { name: 'node-1' }, spec: { unschedulable: true } } },
    replicaSet: {
      kind: 'found',
      object: {
        metadata: {
          name: 'web',
          annotations: { [revision]: '3' },
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web-uid', controller: true },
          ],
        },
      },
    },
    deployment: { kind: 'found', object: aDeployment() },
    claims: new Map(),
    ...parts,
  };
}
