import type { KindRules } from '../discovery/resource.ts';
import { bindingRules, clusterRoleRules, roleRules } from './access.ts';
import { admissionKinds } from './admission-policy.ts';
import { budgetRules } from './budget.ts';
import { definitionRules } from './definition.ts';
import { eventRules } from './event.ts';
import { leaseRules } from './lease.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node.ts';
import { podRules } from './pod.ts';
import { configMapRules, secretRules } from './secret.ts';
import { attachmentRules, claimRules, volumeRules } from './volumes.ts';
import { daemonSetRules, deploymentRules, jobRules, replicaSetRules, statefulSetRules } from './workloads.ts';

/** A built-in kind, by what is its own: of the core group, at v1, in namespaces and without more when it does not say. */
export interface Declared {
  group?: string;
  version?: string;
  plural: string;
  kind: string;
  isClusterWide?: boolean;
  shortNames?: string[];
  categories?: string[];
  subresources?: string[];
  rules?: KindRules;
}

const all = ['all'];
const status = ['status'];
const scaled = ['scale', 'status'];
const rbac = 'rbac.authorization.k8s.io';
const storage = 'storage.k8s.io';

/** The built-in kinds that are kept as they are shown. */
export const declared: readonly Declared[] = [
  { plural: 'configmaps', kind: 'ConfigMap', shortNames: ['cm'], rules: configMapRules },
  { plural: 'endpoints', kind: 'Endpoints', shortNames: ['ep'], rules: { createsOnUpdate: true } },
  { plural: 'events', kind: 'Event', shortNames: ['ev'], rules: eventRules },
  {
    plural: 'namespaces',
    kind: 'Namespace',
    isClusterWide: true,
    shortNames: ['ns'],
    subresources: ['finalize', 'status'],
    rules: namespaceRules,
  },
  {
    plural: 'nodes',
    kind: 'Node',
    isClusterWide: true,
    shortNames: ['no'],
    subresources: status,
    rules: nodeRules,
  },
  {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    shortNames: ['pvc'],
    subresources: status,
    rules: claimRules,
  },
  {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    isClusterWide: true,
    shortNames: ['pv'],
    subresources: status,
    rules: volumeRules,
  },
  {
    plural: 'pods',
    kind: 'Pod',
    shortNames: ['po'],
    categories: all,
    subresources: ['binding', 'eviction', 'log', 'status'],
    rules: podRules,
  },
  { plural: 'secrets', kind: 'Secret', rules: secretRules },
  {
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    shortNames: ['sa'],
    rules: { answersObject: true },
  },
  {
    plural: 'services',
    kind: 'Service',
    shortNames: ['svc'],
    categories: all,
    subresources: status,
    rules: { createsOnUpdate: true },
  },
  ...admissionKinds,
  {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    isClusterWide: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: status,
    rules: definitionRules,
  },
  {
    group: 'apps',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    shortNames: ['ds'],
    categories: all,
    subresources: status,
    rules: daemonSetRules,
  },
  {
    group: 'apps',
    plural: 'deployments',
    kind: 'Deployment',
    shortNames: ['deploy'],
    categories: all,
    subresources: scaled,
    rules: deploymentRules,
  },
  {
    group: 'apps',
    plural: 'replicasets',
    kind: 'ReplicaSet',
    shortNames: ['rs'],
    categories: all,
    subresources: scaled,
    rules: replicaSetRules,
  },
  {
    group: 'apps',
    plural: 'statefulsets',
    kind: 'StatefulSet',
    shortNames: ['sts'],
    categories: all,
    subresources: scaled,
    rules: statefulSetRules,
  },
  {
    group: 'batch',
    plural: 'cronjobs',
    kind: 'CronJob',
    shortNames: ['cj'],
    categories: all,
    subresources: status,
  },
  { group: 'batch', plural: 'jobs', kind: 'Job', categories: all, subresources: status, rules: jobRules },
  { group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease', rules: leaseRules },
  {
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    rules: { hasGeneration: true },
  },
  {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    shortNames: ['pdb'],
    subresources: status,
    rules: budgetRules,
  },
  {
    group: rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    isClusterWide: true,
    rules: bindingRules,
  },
  {
    group: rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    isClusterWide: true,
    rules: clusterRoleRules,
  },
  { group: rbac, plural: 'rolebindings', kind: 'RoleBinding', rules: bindingRules },
  { group: rbac, plural: 'roles', kind: 'Role', rules: roleRules },
  { group: storage, plural: 'csidrivers', kind: 'CSIDriver', isClusterWide: true },
  {
    group: storage,
    plural: 'csinodes',
    kind: 'CSINode',
    isClusterWide: true,
    rules: { answersObject: true },
  },
  {
    group: storage,
    plural: 'storageclasses',
    kind: 'StorageClass',
    isClusterWide: true,
    shortNames: ['sc'],
    rules: { answersObject: true },
  },
  {
    group: storage,
    plural: 'volumeattachments',
    kind: 'VolumeAttachment',
    isClusterWide: true,
    subresources: status,
    rules: attachmentRules,
  },
];
