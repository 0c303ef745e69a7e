import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { readPolicies } from '../../shared/policies/drain-policy.ts';
import type { Member, PolicyView } from '../../shared/policies/places.ts';

/** A DrainPolicy as the API server sends it, with the kind's defaults: one at a time, always. */
export const aDrainPolicy = (name = 'workers', spec: object = {}, begun?: readonly object[]): KubeObject => ({
  apiVersion: 'phaseout.dev/v1alpha1',
  kind: 'DrainPolicy',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '7' },
  spec: {
    controlPlanes: false,
    machinePools: false,
    windowsFor: 'Healthy',
    maxUnavailable: 1,
    ...spec,
  },
  ...(begun !== undefined && { status: { begun } }),
});

/** A living worker with a Ready Node. */
export const aMember = (name: string, parts: Partial<Member> = {}): Member => ({
  uid: `uid-of-${name}`,
  name,
  labels: { pool: 'web' },
  clusterLabels: {},
  isControlPlane: false,
  isReady: true,
  waitsElsewhere: false,
  ...parts,
});

/** A namespace as one decision sees it. */
export const aView = (
  policies: readonly KubeObject[],
  members: readonly Member[],
  gone: readonly string[] = [],
): PolicyView => ({ ...readPolicies(policies), members, gone: new Set(gone) });
