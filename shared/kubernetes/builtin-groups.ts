import { groupVersionOf, type OwnerReference } from './objects.ts';

/**
 * The API groups that Kubernetes itself serves. Others under k8s.io belong to custom kinds too, so a suffix cannot tell
 * them apart: `snapshot.storage.k8s.io` is one.
 */
const builtinGroups: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
  'storagemigration.k8s.io',
]);

/** Whether the owner is of a kind that Kubernetes does not serve itself: an operator reconciles it. */
export const isCustom = (owner: OwnerReference): boolean => !builtinGroups.has(groupVersionOf(owner).group);
