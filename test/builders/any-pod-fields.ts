import * as fc from 'fast-check';
import type { Pod } from '../../shared/kubernetes/objects.ts';

const word = fc.constantFrom('a', 'true', 'false', 'never', 'system', '');
const flag = fc.boolean();
const count = fc.integer({ min: -10, max: 2_000_000_000 });
const operator = fc.constantFrom('Exists', 'Equal');
const effect = fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoSchedule');
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });

const container = some({
  name: word,
  image: word,
  resources: some({
    requests: fc.constantFrom({}, { cpu: '1', memory: '1Gi' }),
    limits: fc.constantFrom({}, { cpu: '1' }),
  }),
  lifecycle: fc.constantFrom({ preStop: { sleep: { seconds: 9 } } }, {}),
  readinessProbe: fc.constant({ httpGet: { path: '/', port: 80 } }),
  restartPolicy: fc.constant('Always'),
  securityContext: some({ privileged: flag }),
});

const anySpec = some({
  priorityClassName: fc.constantFrom(
    'system-node-critical',
    'system-cluster-critical',
    'openshift-user-critical',
    'high',
    '',
  ),
  priority: count,
  preemptionPolicy: fc.constantFrom('Never', 'PreemptLowerPriority'),
  tolerations: fc.array(
    some({
      key: fc.constantFrom('node.kubernetes.io/unschedulable', 'node.kubernetes.io/unreachable', 'a'),
      operator,
      effect,
      value: word,
      tolerationSeconds: count,
    }),
  ),
  nodeSelector: fc.constantFrom(
    { 'kubernetes.io/hostname': 'node-1' },
    { 'node-role.kubernetes.io/control-plane': '' },
    {},
  ),
  affinity: fc.constantFrom({ nodeAffinity: {} }, { podAntiAffinity: {} }, {}),
  topologySpreadConstraints: fc.constant([
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
  ]),
  restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  terminationGracePeriodSeconds: count,
  activeDeadlineSeconds: count,
  hostNetwork: flag,
  hostPID: flag,
  hostIPC: flag,
  hostUsers: flag,
  shareProcessNamespace: flag,
  automountServiceAccountToken: flag,
  enableServiceLinks: flag,
  setHostnameAsFQDN: flag,
  serviceAccountName: word,
  serviceAccount: word,
  schedulerName: word,
  runtimeClassName: word,
  hostname: word,
  subdomain: word,
  dnsPolicy: fc.constantFrom('ClusterFirst', 'Default', 'None'),
  os: fc.constantFrom({ name: 'linux' }, { name: 'windows' }),
  overhead: fc.constant({ cpu: '1' }),
  readinessGates: fc.constant([{ conditionType: 'a/b' }]),
  schedulingGates: fc.constant([{ name: 'a/b' }]),
  resourceClaims: fc.constant([{ name: 'gpu', resourceClaimName: 'gpu' }]),
  securityContext: some({ runAsNonRoot: flag, fsGroup: count }),
  imagePullSecrets: fc.constant([{ name: 'secret' }]),
  hostAliases: fc.constant([{ ip: '10.0.0.1', hostnames: ['a'] }]),
  containers: fc.array(container),
  initContainers: fc.array(container),
  ephemeralContainers: fc.array(container),
  volumes: fc.subarray([
    { name: 'a', emptyDir: {} },
    { name: 'b', hostPath: { path: '/' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'd', configMap: { name: 'c' } },
    { name: 'e', ephemeral: { volumeClaimTemplate: {} } },
  ]),
});

const anyAnnotations = some({
  'cluster-autoscaler.kubernetes.io/safe-to-evict': word,
  'karpenter.sh/do-not-disrupt': word,
  'controller.kubernetes.io/pod-deletion-cost': word,
  'scheduler.alpha.kubernetes.io/critical-pod': word,
  'kubernetes.io/config.source': fc.constantFrom('api', 'file'),
  'kubernetes.io/config.hash': word,
  'cluster.x-k8s.io/drain': fc.constantFrom('skip', 'wait-completed'),
  'machine.cluster.x-k8s.io/exclude-node-draining': word,
  'example.com/drain': word,
});

const anyLabels = some({
  app: word,
  'k8s-app': fc.constantFrom('kube-dns', 'kube-proxy'),
  'app.kubernetes.io/component': word,
  'kubernetes.io/cluster-service': word,
  'addonmanager.kubernetes.io/mode': word,
  'pod-template-hash': word,
  'batch.kubernetes.io/job-name': word,
  'machine.cluster.x-k8s.io/exclude-node-draining': word,
  'example.com/drain': word,
});

const condition = fc.constantFrom(
  { type: 'Ready', status: 'False' as const },
  { type: 'Ready', status: 'True' as const },
  { type: 'DisruptionTarget', status: 'True' as const, reason: 'PreemptionByScheduler' },
  { type: 'PodScheduled', status: 'True' as const },
);

const anyStatus = some({
  qosClass: fc.constantFrom('Guaranteed', 'Burstable', 'BestEffort'),
  conditions: fc.array(condition, { maxLength: 3 }),
  reason: fc.constantFrom('Evicted', 'NodeLost', 'NodeAffinity', 'Shutdown'),
  message: word,
  hostIP: word,
  podIP: word,
  nominatedNodeName: word,
  startTime: fc.constantFrom('2019-01-01T00:00:00Z', '2030-01-01T00:00:00Z'),
  containerStatuses: fc.constantFrom(
    [],
    [{ restartCount: 99, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
  ),
  resize: word,
});

/** Fields that no release has yet. */
const unknown = fc.dictionary(
  fc.string().map((name) => `x${name}`),
  fc.jsonValue({ maxDepth: 1 }),
  { maxKeys: 2 },
);

export interface PodFields {
  name: string;
  namespace: string;
  metadata: object;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  spec: object;
  status: object;
}

/** What people and controllers set of a Pod, and what does not decide whether it is drained. */
export const anyPodFields: fc.Arbitrary<PodFields> = fc.record({
  name: fc.constantFrom('web-1', 'kube-proxy-x', 'etcd-node-1', 'a'),
  namespace: fc.constantFrom('shop', 'kube-system', 'default', 'openshift-monitoring'),
  metadata: some({
    generateName: word,
    creationTimestamp: fc.constantFrom('2019-01-01T00:00:00Z', '2030-01-01T00:00:00Z'),
    finalizers: fc.constantFrom([], ['example.com/finalizer']),
    generation: count,
    managedFields: fc.constant([{ manager: 'kubectl' }]),
  }),
  labels: anyLabels.map(written),
  annotations: anyAnnotations.map(written),
  spec: fc.tuple(anySpec, unknown).map(([set, more]) => ({ ...more, ...set })),
  status: fc.tuple(anyStatus, unknown).map(([set, more]) => ({ ...more, ...set })),
});

function written(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The Pod with those fields beside its own. What it says itself stays. */
export function withFields({ metadata, spec, status, ...rest }: Pod, fields: PodFields): Pod {
  const labels = { ...fields.labels, ...metadata.labels };
  const annotations = { ...fields.annotations, ...metadata.annotations };
  const { name, namespace } = fields;
  return {
    ...rest,
    metadata: { ...fields.metadata, ...metadata, name, namespace, labels, annotations },
    spec: { ...fields.spec, ...spec },
    status: { ...fields.status, ...status },
  };
}
