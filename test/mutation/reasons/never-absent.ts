/** Places by the file and what is in the line. */
export type Place = readonly [file: string, line: string];

/**
 * Fields that the API server sets in every object, or that the key of a map came from. The type lets them be absent, so
 * the code needs a fallback.
 */
export const neverAbsent: readonly Place[] = [
  ['functions/drain.ts', "const { name: otherName, uid = '', resourceVersion = '' } = other.metadata;"],
  ['functions/intake.ts', "object.metadata.uid ?? ''"],
  ['functions/node.ts', "const { name, uid = '', deletionTimestamp } = metadata;"],
  [
    'shared/dialects/capi/control-plane.ts',
    "if (cluster === undefined || controlPlaneOf(cluster, cluster.metadata.namespace ?? '') === undefined)",
  ],
  [
    'shared/dialects/parse-machine.ts',
    "return new MachineUnreadable(`Machine ${metadata.namespace ?? ''}/${metadata.name} cannot be read: ${why}`);",
  ],
  ['shared/drain/filters.ts', "return `${pod.metadata.namespace ?? ''}/${owner.name}`;"],
  [
    'shared/drain/message.ts',
    "const byText = [...Map.groupBy(refused, (pod) => texts.get(uidOf(pod)) ?? '')].toSorted(([a], [b]) =>",
  ],
  ['shared/drain/rules.ts', "const namespaceLabels = namespaces?.get(pod.metadata.namespace ?? '');"],
  ['shared/phase/drain-requeue.ts', "namespace: metadata.namespace ?? '',"],
  [
    'shared/phase/drain-requeue.ts',
    "const asked = before.map(({ metadata }) => Date.parse(metadata.deletionTimestamp ?? ''));",
  ],
  ['shared/kubernetes/objects.ts', "export const uidOf = (pod: Pod): string => pod.metadata.uid ?? '';"],
  ['shared/provision/decide.ts', "const { name, uid = '' } = metadata;"],
  ['shared/observe/control-plane.ts', "const { name, uid = '' } = node.metadata;"],
  ['shared/observe/drain.ts', "snapshot.rememberCordon(name, node.metadata.uid ?? '');"],
  ['shared/observe/drain.ts', "const [namespace = '', name = ''] = key.split('/');"],
  ['shared/observe/pods.ts', "const [namespace = '', name = ''] = path.split('/');"],
  [
    'shared/observe/pods.ts',
    "const isKnown = ({ metadata: { namespace = '' } }: Pod): boolean => remembered.has(namespace);",
  ],
  ['shared/observe/owned-object.ts', "const deletion = snapshot.deletion(object.metadata.uid ?? '');"],
  ['shared/plan/rows.ts', "namespace: pod.metadata.namespace ?? '',"],
  ['shared/phase/owned-object.ts', "const uid = object.metadata.uid ?? '';"],
  ['shared/phase/owned-object.ts', "const resourceVersion = object.metadata.resourceVersion ?? '';"],
  [
    'shared/kubernetes/objects.ts',
    "persistentVolumeClaim ? [`${metadata.namespace ?? ''}/${persistentVolumeClaim.claimName}`] : [],",
  ],
  [
    'shared/volumes/attached.ts',
    "attached.persistentVolumes.has(volume.metadata.name) || attached.nodeVolumes.has(csiName(volume) ?? ''),",
  ],
  [
    'shared/volumes/attached.ts',
    "return claim?.kind === 'PersistentVolumeClaim' ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : undefined;",
  ],
  ['shared/drain/plan.ts', "Date.parse(pod.metadata.deletionTimestamp ?? '') > latest,"],
  [
    'shared/drain/recreated-pods.ts',
    "const createdAt = Date.parse(pod.metadata.creationTimestamp ?? '') + cutMilliseconds;",
  ],
  ['shared/phase/drain-requeue.ts', "resourceVersion: metadata.resourceVersion ?? '',"],
  ['shared/drain/budget-cause.ts', "`${namespace ?? ''}/${name}`;"],
  ['shared/observe/drain.ts', "const name = subject.machine.nodeName ?? '';"],
  ['shared/dialects/capi/control-plane.ts', "{ clusterName = '' }: Machine,"],
  [
    'shared/dialects/capi/read.ts',
    "const [version = '', itsGroup = ''] = (ref.apiVersion ?? '').split('/').toReversed();",
  ],
  ['shared/dialects/capi/deletion-times.ts', "return Date.parse(checkpoint.passed[phase]?.since ?? '');"],
  ['shared/dialects/capi/ready.ts', "const [first = ''] = components;"],
  ['shared/dialects/fields.ts', "const value = recordAt(object, ...path.slice(0, -1))[path.at(-1) ?? ''];"],
  ['shared/dialects/parse-machine.ts', "{ apiVersion = '' }: KubeObject,"],
  ['shared/dialects/v1alpha1/index.ts', "error deleting Machine's node \"${nodeName ?? ''}\": ${moment.why}"],
  ['shared/kubernetes/label-selector.ts', "values: [matchLabels[key] ?? ''],"],
  [
    'shared/kubernetes/label-syntax.ts',
    "return [...flawsOfPrefix(prefix), ...flawsOfName(parts.at(-1) ?? '')];",
  ],
  ['shared/drain/recreated-pods.ts', "Date.parse(metadata.creationTimestamp ?? '') >= deletedAt;"],
];
