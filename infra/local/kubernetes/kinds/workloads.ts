import type { KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { withMetadata } from '../objects/kube-object.ts';
import { isObject, type JsonObject, objectOf } from '../server/json.ts';
import { podSpec } from './pod.ts';

/** A template of Pods with what is left unsaid in it. */
function template(given: unknown): JsonObject {
  const { metadata, spec } = objectOf(given);
  return { metadata: objectOf(metadata), spec: podSpec(spec) };
}

function withSpec(object: KubeObject, unsaid: JsonObject): KubeObject {
  const spec = objectOf(object.spec);
  return { ...object, spec: { ...unsaid, ...spec, template: template(spec.template) } };
}

function rules(
  unsaid: JsonObject,
  firstStatus: JsonObject,
  defaults?: (object: KubeObject) => KubeObject,
): KindRules {
  return {
    hasGeneration: true,
    defaults: (object) => withSpec(defaults?.(object) ?? object, unsaid),
    onCreate: (object) => ({ ...object, status: firstStatus }),
    onUpdate: (object) =>
      isObject(object.status) ? { ...object, status: { ...firstStatus, ...object.status } } : object,
  };
}

export const replicaSetRules = rules({ replicas: 1 }, { replicas: 0 });

export const deploymentRules: KindRules = {
  ...rules(
    {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
    {},
  ),
  keptByStatus: ['labels'],
  countsAnnotations: true,
};

export const statefulSetRules = rules(
  {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  { replicas: 0, availableReplicas: 0 },
);

const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSetRules = rules(
  {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  },
  { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  (object) =>
    withMetadata(object, { annotations: { [templateGeneration]: '1', ...object.metadata.annotations } }),
);

/** A Job selects its Pods by its own UID, which only the API server knows. */
export const jobRules: KindRules = {
  ...rules(
    {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      manualSelector: false,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    },
    {},
  ),
  orphansByDefault: true,
  onCreate(job) {
    const { uid = '', name } = job.metadata;
    const labels = {
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': name,
      'controller-uid': uid,
      'job-name': name,
    };
    const spec = objectOf(job.spec);
    const pods = objectOf(spec.template);
    const podMetadata = objectOf(pods.metadata);
    const podLabels = { ...objectOf(podMetadata.labels), ...labels };
    return {
      ...job,
      metadata: { ...job.metadata, labels: { ...job.metadata.labels, ...labels } },
      spec: {
        ...spec,
        selector: spec.selector ?? { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
        template: { ...pods, metadata: { ...podMetadata, labels: podLabels } },
      },
      status: {},
    };
  },
};
