import { type FieldsOf, type Types, typedVocabulary, type Vocabulary } from '../cel/vocabulary.ts';

const time = 'google.protobuf.Timestamp';
const texts = 'map<string, string>';

/** The types that the API server knows of a write. Rules: k8s.io/apiserver's pkg/admission/plugin/cel. */
const fieldsOf: FieldsOf = {
  'kubernetes.GroupVersionKind': { group: 'string', version: 'string', kind: 'string' },
  'kubernetes.GroupVersionResource': { group: 'string', version: 'string', resource: 'string' },
  'kubernetes.UserInfo': {
    username: 'string',
    uid: 'string',
    groups: 'list<string>',
    extra: 'map<string, list<string>>',
  },
  'kubernetes.AdmissionRequest': {
    kind: 'kubernetes.GroupVersionKind',
    resource: 'kubernetes.GroupVersionResource',
    subResource: 'string',
    requestKind: 'kubernetes.GroupVersionKind',
    requestResource: 'kubernetes.GroupVersionResource',
    requestSubResource: 'string',
    name: 'string',
    namespace: 'string',
    operation: 'string',
    userInfo: 'kubernetes.UserInfo',
    dryRun: 'bool',
    options: 'dyn',
  },
  'kubernetes.NamespaceSpec': { finalizers: 'list<string>' },
  'kubernetes.NamespaceCondition': {
    status: 'string',
    type: 'string',
    lastTransitionTime: time,
    message: 'string',
    reason: 'string',
  },
  'kubernetes.NamespaceStatus': { conditions: 'list<kubernetes.NamespaceCondition>', phase: 'string' },
  'kubernetes.NamespaceMetadata': {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    labels: texts,
    annotations: texts,
    UID: 'string',
    creationTimestamp: time,
    deletionGracePeriodSeconds: 'int',
    deletionTimestamp: time,
    generation: 'int',
    resourceVersion: 'string',
    finalizers: 'list<string>',
  },
  'kubernetes.Namespace': {
    metadata: 'kubernetes.NamespaceMetadata',
    spec: 'kubernetes.NamespaceSpec',
    status: 'kubernetes.NamespaceStatus',
  },
};

/** What an admission policy without parameters may refer to. */
export const policyWords: Vocabulary = wordsWith({}, {});

/** The same with more roots, and the fields of their types. */
export function wordsWith(roots: Types, fields: FieldsOf): Vocabulary {
  const known = {
    object: 'dyn',
    oldObject: 'dyn',
    namespaceObject: 'kubernetes.Namespace',
    request: 'kubernetes.AdmissionRequest',
  };
  return typedVocabulary({ ...known, ...roots }, { ...fieldsOf, ...fields });
}

const kept = new Set(
  `list map dyn string bool int uint double bytes null ${time} google.protobuf.Duration`.split(' '),
);

/** The type of a variable as the API server knows it: none of an object or an optional value. */
export function variableType(type: string): string {
  if (type.includes('optional<')) return 'dyn';
  return type.replaceAll(/[\w.]+/g, (name) => (kept.has(name) ? name : 'dyn'));
}
