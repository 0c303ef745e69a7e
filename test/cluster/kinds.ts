import { addressOf } from '../../shared/adapters/kubernetes/request.ts';
import type { Key, Resource } from '../../shared/kubernetes/client.ts';
import { groupVersionOf, type KubeObject } from '../../shared/kubernetes/objects.ts';

/** The resource in this version of Cluster API. Everything here is written in the newest version. */
export const inCapiVersion = (of: Resource, version: string): Resource =>
  of.group === resources.capiMachines.group ? { ...of, version } : of;

/** Every kind that is made here, with its plural and whether it is in a namespace. */
const known: Readonly<Record<string, readonly [plural: string, isNamespaced: boolean]>> = {
  Namespace: ['namespaces', false],
  Node: ['nodes', false],
  PersistentVolume: ['persistentvolumes', false],
  VolumeAttachment: ['volumeattachments', false],
  ClusterRole: ['clusterroles', false],
  ClusterRoleBinding: ['clusterrolebindings', false],
  CustomResourceDefinition: ['customresourcedefinitions', false],
  ValidatingAdmissionPolicy: ['validatingadmissionpolicies', false],
  ValidatingAdmissionPolicyBinding: ['validatingadmissionpolicybindings', false],
  MutatingAdmissionPolicy: ['mutatingadmissionpolicies', false],
  MutatingAdmissionPolicyBinding: ['mutatingadmissionpolicybindings', false],
  Role: ['roles', true],
  RoleBinding: ['rolebindings', true],
  ServiceAccount: ['serviceaccounts', true],
  ConfigMap: ['configmaps', true],
  Lease: ['leases', true],
  Secret: ['secrets', true],
  Pod: ['pods', true],
  DaemonSet: ['daemonsets', true],
  PodDisruptionBudget: ['poddisruptionbudgets', true],
  PersistentVolumeClaim: ['persistentvolumeclaims', true],
  Machine: ['machines', true],
  Cluster: ['clusters', true],
  MachineDrainRule: ['machinedrainrules', true],
  PhaseoutTestMachine: ['phaseouttestmachines', true],
  PhaseoutTestConfig: ['phaseouttestconfigs', true],
};

const entryOf = (kind: string): readonly [string, boolean] => {
  const entry = known[kind];
  if (entry === undefined) throw new Error(`${kind} is not made here`);
  return entry;
};

export function resourceOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource {
  const { kind = '', apiVersion = '' } = object;
  return { ...groupVersionOf({ apiVersion }), plural: entryOf(kind)[0] };
}

export const isNamespaced = ({ kind = '' }: KubeObject): boolean => entryOf(kind)[1];

/** Path of one object. */
export const pathOf = (of: Resource, key: Key): string => addressOf(of, key).path;

const resource = (group: string, version: string, plural: string): Resource => ({ group, version, plural });

export const resources = {
  capiMachines: resource('cluster.x-k8s.io', 'v1beta2', 'machines'),
  capiClusters: resource('cluster.x-k8s.io', 'v1beta2', 'clusters'),
  drainRules: resource('cluster.x-k8s.io', 'v1beta2', 'machinedrainrules'),
  openshiftMachines: resource('machine.openshift.io', 'v1beta1', 'machines'),
  v1alpha1Machines: resource('cluster.k8s.io', 'v1alpha1', 'machines'),
  v1alpha1Clusters: resource('cluster.k8s.io', 'v1alpha1', 'clusters'),
  infrastructure: resource('infrastructure.cluster.x-k8s.io', 'v1beta2', 'phaseouttestmachines'),
  bootstrap: resource('bootstrap.cluster.x-k8s.io', 'v1beta2', 'phaseouttestconfigs'),
  roles: resource('rbac.authorization.k8s.io', 'v1', 'roles'),
  clusterRoles: resource('rbac.authorization.k8s.io', 'v1', 'clusterroles'),
  clusterRoleBindings: resource('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings'),
  policies: resource('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies'),
  policyBindings: resource('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicybindings'),
  mutatingPolicies: resource('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies'),
  mutatingPolicyBindings: resource('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicybindings'),
  definitions: resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions'),
  serviceAccounts: resource('', 'v1', 'serviceaccounts'),
  claims: resource('', 'v1', 'persistentvolumeclaims'),
} as const;
