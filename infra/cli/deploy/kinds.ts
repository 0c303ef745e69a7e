import type { Kind } from './ours.ts';

const eventing = 'eventing.knative.dev';
const sources = 'sources.knative.dev';
const serving = 'serving.knative.dev';
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/** What makes a step of the removal, and is waited for before the next. */
export type Step = readonly Kind[];

/**
 * The kinds that an installation is made of, in the order in which they go: first what starts something new, at last the
 * permissions of what still runs. A SinkBinding outlives neither the Broker, for its removal would hang, nor
 * goes before the Services, for each would get a Revision without it.
 */
export const steps: readonly Step[] = [
  [
    { group: sources, kind: 'PingSource' },
    { group: sources, kind: 'ApiServerSource' },
  ],
  [{ group: eventing, kind: 'Trigger' }],
  [
    { group: serving, kind: 'Service' },
    { group: 'batch', kind: 'Job' },
  ],
  [{ group: sources, kind: 'SinkBinding' }],
  [
    { group: eventing, kind: 'Broker' },
    { group: eventing, kind: 'EventType' },
  ],
  [
    { group: 'apps', kind: 'Deployment' },
    { group: '', kind: 'Service' },
    { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
    { group: '', kind: 'ConfigMap' },
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

/** What holds data of its own: it goes only when that is asked for. */
export const dataKinds: readonly Kind[] = [
  { group: '', kind: 'PersistentVolumeClaim' },
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
];
