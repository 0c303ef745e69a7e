import type { Kind } from './ours.ts';

const eventing = 'eventing.knative.dev';
const sources = 'sources.knative.dev';
const serving = 'serving.knative.dev';
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/** A step of the removal. The removal waits until its objects are gone. */
export type Step = readonly Kind[];

/** What starts something new, and what puts hooks on Machines: a policy at once, phaseout itself as it sweeps. */
export const startingSteps: readonly Step[] = [
  [
    { group: admission, kind: 'MutatingAdmissionPolicyBinding' },
    { group: admission, kind: 'MutatingAdmissionPolicy' },
  ],
  [
    { group: sources, kind: 'PingSource' },
    { group: sources, kind: 'ApiServerSource' },
  ],
  [{ group: eventing, kind: 'Trigger' }],
  [
    { group: serving, kind: 'Service' },
    { group: 'batch', kind: 'Job' },
  ],
];

/** What is of no use without them. */
export const remainingSteps: readonly Step[] = [
  [{ group: sources, kind: 'SinkBinding' }],
  [
    { group: eventing, kind: 'Broker' },
    { group: eventing, kind: 'EventType' },
  ],
  [
    { group: 'apps', kind: 'Deployment' },
    { group: 'batch', kind: 'CronJob' },
    { group: '', kind: 'Service' },
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    { group: '', kind: 'ConfigMap' },
    { group: 'coordination.k8s.io', kind: 'Lease' },
    { group: admission, kind: 'ValidatingAdmissionPolicyBinding' },
    { group: admission, kind: 'ValidatingAdmissionPolicy' },
  ],
  [
    { group: rbac, kind: 'RoleBinding' },
    { group: rbac, kind: 'ClusterRoleBinding' },
    { group: rbac, kind: 'Role' },
    { group: rbac, kind: 'ClusterRole' },
    { group: '', kind: 'ServiceAccount' },
  ],
];

/**
 * The kinds of an installation, in the order of removal: first what starts something new, last the permissions of what
 * still runs. A SinkBinding goes before the Broker, since its removal would hang otherwise. It goes after the Services,
 * since each would get a new Revision without it.
 */
export const steps: readonly Step[] = [...startingSteps, ...remainingSteps];

/** Kinds that hold data: removed only if the user asks for it. */
export const dataKinds: readonly Kind[] = [
  { group: '', kind: 'PersistentVolumeClaim' },
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
];
