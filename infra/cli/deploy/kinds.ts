import type { Kind } from './ours.ts';

const eventing = 'eventing.knative.dev';
const sources = 'sources.knative.dev';
const serving = 'serving.knative.dev';
const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/** Kinds of one API group. */
export const kindsOf = (group: string, ...kinds: string[]): Kind[] => kinds.map((kind) => ({ group, kind }));

/** A step of the removal. The removal waits until its objects are gone. */
export type Step = readonly Kind[];

/** What starts something new, and what puts hooks on Machines: a policy at once, phaseout itself as it sweeps. */
export const startingSteps: readonly Step[] = [
  kindsOf(admission, 'MutatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy'),
  kindsOf(sources, 'PingSource', 'ApiServerSource'),
  kindsOf(eventing, 'Trigger'),
  [...kindsOf(serving, 'Service'), ...kindsOf('batch', 'Job')],
];

/** What is of no use without them. */
export const remainingSteps: readonly Step[] = [
  kindsOf(sources, 'SinkBinding'),
  kindsOf(eventing, 'Broker', 'EventType'),
  [
    ...kindsOf('apps', 'Deployment'),
    ...kindsOf('batch', 'CronJob'),
    ...kindsOf('', 'Service'),
    ...kindsOf('networking.k8s.io', 'NetworkPolicy'),
    ...kindsOf('', 'ConfigMap'),
    ...kindsOf('coordination.k8s.io', 'Lease'),
    ...kindsOf(admission, 'ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'),
  ],
  [
    ...kindsOf(rbac, 'RoleBinding', 'ClusterRoleBinding', 'Role', 'ClusterRole'),
    ...kindsOf('', 'ServiceAccount'),
  ],
];

/**
 * The kinds of an installation, in the order of removal: first those that start something new, last the permissions.
 * A SinkBinding goes before the Broker, since its removal would hang otherwise. It goes after the Services,
 * since each would get a new Revision without it.
 */
export const steps: readonly Step[] = [...startingSteps, ...remainingSteps];

/** Kinds that hold data: removed only if the user asks for it. */
export const dataKinds: readonly Kind[] = [
  ...kindsOf('', 'PersistentVolumeClaim'),
  ...kindsOf('apiextensions.k8s.io', 'CustomResourceDefinition'),
];
