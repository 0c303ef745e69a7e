import type { Cause, KindRules } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { forbidden, required } from '../objects/status.ts';
import { areEqual, at, isObject, type JsonObject, listOf, objectOf, textAt } from '../server/json.ts';

/** Pods: the defaults that the API server fills in, the few fields that may change, a grace period on deletion. */
export const podRules: KindRules = {
  hasGeneration: true,
  isGraceful: true,
  answersObject: true,
  keptByStatus: ['ownerReferences', 'deletionTimestamp'],
  zero: { spec: { containers: null }, status: {} },
  defaults: (pod) => ({
    ...pod,
    spec: podSpec(pod.spec),
    ...(isObject(pod.status) && { status: podStatus(pod.status) }),
  }),
  onCreate: (pod) => ({
    ...pod,
    spec: tolerant(objectOf(pod.spec)),
    status: { phase: 'Pending', qosClass: qosClass(pod) },
  }),
  onUpdate: (pod) => ({ ...pod, spec: patient(objectOf(pod.spec)) }),
  refusals: (pod, previous) => (previous ? changeRefusals(pod, previous) : newRefusals(pod)),
  fields: {
    'spec.nodeName': (pod) => textAt(pod, 'spec', 'nodeName'),
    'spec.restartPolicy': (pod) => textAt(pod, 'spec', 'restartPolicy'),
    'spec.schedulerName': (pod) => textAt(pod, 'spec', 'schedulerName'),
    'spec.serviceAccountName': (pod) => textAt(pod, 'spec', 'serviceAccountName'),
    'spec.hostNetwork': (pod) => String(at(pod, 'spec', 'hostNetwork') === true),
    'status.phase': (pod) => textAt(pod, 'status', 'phase'),
    'status.podIP': (pod) => textAt(pod, 'status', 'podIP'),
    'status.nominatedNodeName': (pod) => textAt(pod, 'status', 'nominatedNodeName'),
  },
};

/** The spec of a Pod or of a Pod template with what is left unsaid. */
export function podSpec(given: unknown): JsonObject {
  const spec = objectOf(given);
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    ...(spec.serviceAccountName !== undefined && { serviceAccount: spec.serviceAccountName }),
    containers: listOf(spec.containers).map(container),
    ...(spec.initContainers !== undefined && { initContainers: listOf(spec.initContainers).map(container) }),
    ...(spec.volumes !== undefined && { volumes: listOf(spec.volumes).map(volume) }),
  };
}

function container(given: unknown): JsonObject {
  const one = objectOf(given);
  const image = textAt(one, 'image');
  const isLatest = image.endsWith(':latest') || !image.split('/').at(-1)?.includes(':');
  return {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent',
    ...one,
    ...(one.ports !== undefined && {
      ports: listOf(one.ports).map((port) => ({ protocol: 'TCP', ...objectOf(port) })),
    }),
  };
}

const defaultModes = ['configMap', 'secret', 'projected', 'downwardAPI'];

function volume(given: unknown): JsonObject {
  const one = objectOf(given);
  const kind = defaultModes.find((mode) => mode in one);
  if (kind) return { ...one, [kind]: { defaultMode: 420, ...objectOf(one[kind]) } };
  if ('hostPath' in one) return { ...one, hostPath: { type: '', ...objectOf(one.hostPath) } };
  const hasSource = Object.keys(one).length > 1;
  return hasSource ? one : { ...one, emptyDir: {} };
}

/** What admission adds to a new Pod: priority, and patience with Nodes that are not ready. */
const tolerant = (spec: JsonObject): JsonObject => ({
  priority: 0,
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
  ...patient(spec),
});

/** Patience is added to a Pod that is changed, too. */
function patient(spec: JsonObject): JsonObject {
  const given = listOf(spec.tolerations);
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !given.some((one) => toleratesExecution(one, key)),
  );
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return added.length === 0 ? spec : { ...spec, tolerations: [...given, ...added] };
}

function toleratesExecution(toleration: unknown, key: string): boolean {
  const effect = textAt(toleration, 'effect');
  const stated = textAt(toleration, 'key');
  return (effect === '' || effect === 'NoExecute') && (stated === key || stated === '');
}

/** Lists in a status, with what their items leave unsaid. */
export function filledLists(status: JsonObject, unsaid: Readonly<Record<string, JsonObject>>): JsonObject {
  const lists = Object.entries(unsaid).flatMap(([field, defaults]) => {
    const list = status[field];
    return Array.isArray(list) ? [[field, list.map((one) => ({ ...defaults, ...objectOf(one) }))]] : [];
  });
  return { ...status, ...Object.fromEntries(lists) };
}

const podStatus = (status: JsonObject): JsonObject =>
  filledLists(status, {
    conditions: { lastProbeTime: null, lastTransitionTime: null },
    containerStatuses: { state: {}, lastState: {} },
  });

function qosClass(pod: KubeObject): string {
  const containers = listOf(at(pod, 'spec', 'containers'));
  const requests = containers.map((one) => objectOf(at(one, 'resources', 'requests')));
  const limits = containers.map((one) => objectOf(at(one, 'resources', 'limits')));
  if ([...requests, ...limits].every((amounts) => Object.keys(amounts).length === 0)) return 'BestEffort';
  const isGuaranteed = limits.every(
    (limit, i) =>
      limit.cpu !== undefined && limit.memory !== undefined && areEqual(limit, { ...limit, ...requests[i] }),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function newRefusals(pod: KubeObject): Cause[] {
  const containers = listOf(at(pod, 'spec', 'containers'));
  if (containers.length === 0) return [required('spec.containers')];
  return containers.flatMap((one, i) => [
    ...(textAt(one, 'name') === '' ? [required(`spec.containers[${i}].name`)] : []),
    ...(textAt(one, 'image') === '' ? [required(`spec.containers[${i}].image`)] : []),
  ]);
}

const fixed =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Of a Pod's spec only images, tolerations and two numbers may change. */
function changeRefusals(pod: KubeObject, previous: KubeObject): Cause[] {
  const causes = areEqual(fixedPart(pod), fixedPart(previous)) ? [] : [forbidden('spec', fixed)];
  const before = listOf(at(previous, 'spec', 'tolerations')).map(withoutSeconds);
  const now = listOf(at(pod, 'spec', 'tolerations')).map(withoutSeconds);
  if (before.every((one) => now.some((other) => areEqual(one, other)))) return causes;
  return [
    forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    ...causes,
  ];
}

function withoutSeconds(toleration: unknown): JsonObject {
  const { tolerationSeconds: _seconds, ...rest } = objectOf(toleration);
  return rest;
}

function fixedPart(pod: KubeObject): JsonObject {
  const { tolerations: _tolerations, activeDeadlineSeconds: _deadline, ...spec } = objectOf(pod.spec);
  const { containers, initContainers } = spec;
  return { ...spec, containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
}

const withoutImages = (containers: unknown): JsonObject[] =>
  listOf(containers).map((one) => ({ ...objectOf(one), image: '' }));
