import { guessPlural, type KindRules, type Resource } from '../discovery/resource.ts';
import { bindingRules, clusterRoleRules, roleRules } from './access.ts';
import { policyBindingRules, policyRules } from './admission-policy.ts';
import { budgetRules } from './budget.ts';
import { definitionRules } from './definition.ts';
import { eventRules, fromNewEvent, newEventRules, toNewEvent } from './event.ts';
import { leaseRules } from './lease.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './node.ts';
import { podRules } from './pod.ts';
import { configMapRules, secretRules } from './secret.ts';
import { attachmentRules, claimRules, volumeRules } from './volumes.ts';
import { daemonSetRules, deploymentRules, jobRules, replicaSetRules, statefulSetRules } from './workloads.ts';

/** A built-in kind, by what is its own: at v1, in namespaces and without more when it does not say. */
interface Declared {
  kind: string;
  /** Where it is not the one to guess. */
  plural?: string;
  isClusterWide?: boolean;
  shortNames?: string[];
  categories?: string[];
  subresources?: string[];
  rules?: KindRules;
}

const isClusterWide = true;
const all = ['all'];
const extensions = ['api-extensions'];
const status = ['status'];
const scaled = ['scale', 'status'];
const ofPods = ['binding', 'eviction', 'log', 'status'];
const ofNamespaces = ['finalize', 'status'];
const createsOnUpdate = true;
const answersObject = true;

/** The built-in kinds that are kept as they are shown, by group. */
const declared: Readonly<Record<string, readonly Declared[]>> = {
  '': [
    { kind: 'ConfigMap', shortNames: ['cm'], rules: configMapRules },
    { kind: 'Endpoints', plural: 'endpoints', shortNames: ['ep'], rules: { createsOnUpdate } },
    { kind: 'Event', shortNames: ['ev'], rules: eventRules },
    {
      kind: 'Namespace',
      isClusterWide,
      shortNames: ['ns'],
      subresources: ofNamespaces,
      rules: namespaceRules,
    },
    { kind: 'Node', isClusterWide, shortNames: ['no'], subresources: status, rules: nodeRules },
    { kind: 'PersistentVolumeClaim', shortNames: ['pvc'], subresources: status, rules: claimRules },
    { kind: 'PersistentVolume', isClusterWide, shortNames: ['pv'], subresources: status, rules: volumeRules },
    { kind: 'Pod', shortNames: ['po'], categories: all, subresources: ofPods, rules: podRules },
    { kind: 'Secret', rules: secretRules },
    { kind: 'ServiceAccount', shortNames: ['sa'], rules: { answersObject } },
    {
      kind: 'Service',
      shortNames: ['svc'],
      categories: all,
      subresources: status,
      rules: { createsOnUpdate },
    },
  ],
  'admissionregistration.k8s.io': [
    {
      kind: 'MutatingWebhookConfiguration',
      isClusterWide,
      categories: extensions,
      rules: { hasGeneration: true },
    },
    {
      kind: 'ValidatingAdmissionPolicy',
      isClusterWide,
      categories: extensions,
      subresources: status,
      rules: policyRules,
    },
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      isClusterWide,
      categories: extensions,
      rules: policyBindingRules,
    },
    {
      kind: 'ValidatingWebhookConfiguration',
      isClusterWide,
      categories: extensions,
      rules: { hasGeneration: true },
    },
  ],
  'apiextensions.k8s.io': [
    {
      kind: 'CustomResourceDefinition',
      isClusterWide,
      shortNames: ['crd', 'crds'],
      categories: extensions,
      subresources: status,
      rules: definitionRules,
    },
  ],
  apps: [
    { kind: 'DaemonSet', shortNames: ['ds'], categories: all, subresources: status, rules: daemonSetRules },
    {
      kind: 'Deployment',
      shortNames: ['deploy'],
      categories: all,
      subresources: scaled,
      rules: deploymentRules,
    },
    { kind: 'ReplicaSet', shortNames: ['rs'], categories: all, subresources: scaled, rules: replicaSetRules },
    {
      kind: 'StatefulSet',
      shortNames: ['sts'],
      categories: all,
      subresources: scaled,
      rules: statefulSetRules,
    },
  ],
  batch: [
    { kind: 'CronJob', shortNames: ['cj'], categories: all, subresources: status },
    { kind: 'Job', categories: all, subresources: status, rules: jobRules },
  ],
  'coordination.k8s.io': [{ kind: 'Lease', rules: leaseRules }],
  'networking.k8s.io': [{ kind: 'NetworkPolicy', shortNames: ['netpol'], rules: { hasGeneration: true } }],
  policy: [{ kind: 'PodDisruptionBudget', shortNames: ['pdb'], subresources: status, rules: budgetRules }],
  'rbac.authorization.k8s.io': [
    { kind: 'ClusterRoleBinding', isClusterWide, rules: bindingRules },
    { kind: 'ClusterRole', isClusterWide, rules: clusterRoleRules },
    { kind: 'RoleBinding', rules: bindingRules },
    { kind: 'Role', rules: roleRules },
  ],
  'storage.k8s.io': [
    { kind: 'CSIDriver', isClusterWide },
    { kind: 'CSINode', isClusterWide, rules: { answersObject } },
    { kind: 'StorageClass', isClusterWide, shortNames: ['sc'], rules: { answersObject } },
    { kind: 'VolumeAttachment', isClusterWide, subresources: status, rules: attachmentRules },
  ],
};

/** The kinds the API server has without any CustomResourceDefinition. */
export const builtinResources: readonly Resource[] = [
  ...Object.entries(declared).flatMap(([group, kinds]) => kinds.map((one) => toResource(group, one))),
  // The events of events.k8s.io are those of the core group under other field names.
  {
    ...toResource('events.k8s.io', { kind: 'Event', shortNames: ['ev'], rules: newEventRules }),
    storage: 'events',
    shownAs: { toWire: toNewEvent, fromWire: fromNewEvent },
  },
];

function toResource(group: string, { kind, plural = guessPlural(kind), ...one }: Declared): Resource {
  const key = group === '' ? plural : `${plural}.${group}`;
  return {
    key,
    storage: key,
    group,
    plural,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced: one.isClusterWide !== true,
    shortNames: one.shortNames ?? [],
    categories: one.categories ?? [],
    subresources: one.subresources ?? [],
    versions: [{ name: 'v1', columns: [], selectableFields: [] }],
    storageVersion: 'v1',
    isCustom: false,
    rules: one.rules ?? {},
  };
}
