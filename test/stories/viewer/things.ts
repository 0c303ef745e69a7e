import type { KubeObject } from '../../../infra/local/kubernetes/objects/cluster.ts';

/** An object as a manifest has it. */
export type Thing = KubeObject;

interface Parts {
  metadata?: object;
  spec?: object;
  status?: object;
}

/** `namespace/name`, or a name alone. */
export function named(apiVersion: string, kind: string, place: string, { metadata, ...parts }: Parts): Thing {
  const [namespace, name] = place.includes('/') ? place.split('/') : [undefined, place];
  return {
    apiVersion,
    kind,
    metadata: {
      name: name ?? '',
      ...(namespace !== undefined && { namespace }),
      uid: `${kind.toLowerCase()}-${name}`,
      creationTimestamp: '2026-11-01T00:00:00Z',
      ...metadata,
    },
    ...parts,
  };
}

/** One that lets no Pod go for the moment. */
export const budgetNamed = (place: string): Thing =>
  named('policy/v1', 'PodDisruptionBudget', place, {
    metadata: { generation: 1 },
    spec: { minAvailable: 1, selector: { matchLabels: { app: place.split('/')[1] ?? '' } } },
    status: {
      observedGeneration: 1,
      desiredHealthy: 1,
      currentHealthy: 1,
      disruptionsAllowed: 0,
      expectedPods: 2,
    },
  });
