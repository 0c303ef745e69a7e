/** An object as kubectl writes it. */
export interface AnyObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; uid: string; labels?: Record<string, string> } & Record<
    string,
    unknown
  >;
  [field: string]: unknown;
}

export const created = { resourceVersion: '4711', creationTimestamp: '2026-01-01T00:00:00Z' };

const since = { lastTransitionTime: '2026-01-01T00:00:00Z' };

export const aNode = (name: string): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { ...created, name, uid: `node-${name}`, labels: { 'kubernetes.io/hostname': name } },
  spec: { providerID: `aws:///z/${name}` },
  status: {
    capacity: { cpu: '16', memory: '64Gi', pods: '110' },
    conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
      type,
      status: type === 'Ready' ? 'True' : 'False',
      ...since,
    })),
    images: Array.from({ length: 30 }, (_, index) => ({
      names: [`registry.example/team/image-${index}@sha256:${'0'.repeat(64)}`],
      sizeBytes: 100_000_000 + index,
    })),
  },
});

/** What makes a Pod. */
export interface Maker {
  kind: 'DaemonSet' | 'ReplicaSet' | 'StatefulSet';
  namespace: string;
  /** Of a ReplicaSet that of its Deployment. */
  name: string;
  /** Its Pods run on every Node, cordoned or not. */
  toleratesAll?: true;
}

/** The name of the object that makes the Pods. */
export const ownName = ({ kind, name }: Maker): string => (kind === 'ReplicaSet' ? `${name}-5d4f8` : name);

/** A Pod with what real ones have, so that it takes as much room. */
export function aPod(nodeName: string, maker: Maker, at: number): AnyObject {
  const { namespace, name: app, kind } = maker;
  const name = `${app}-${nodeName}-${at}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...created,
      name,
      namespace,
      uid: `pod-${name}`,
      generateName: `${ownName(maker)}-`,
      labels: { app, 'pod-template-hash': '5d4f8', 'app.kubernetes.io/part-of': 'shop' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind,
          name: ownName(maker),
          uid: `${kind}-${app}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeName,
      serviceAccountName: app,
      priority: 0,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      tolerations: maker.toleratesAll
        ? [{ operator: 'Exists' }]
        : ['not-ready', 'unreachable'].map((key) => ({
            key: `node.kubernetes.io/${key}`,
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          })),
      containers: ['main', 'sidecar'].map((container) => containerOf(app, container)),
      volumes: [
        { name: 'config', configMap: { name: app, defaultMode: 420 } },
        {
          name: 'kube-api-access',
          projected: { defaultMode: 420, sources: [{ configMap: { name: 'kube-root-ca.crt' } }] },
        },
      ],
    },
    status: {
      phase: 'Running',
      hostIP: '10.0.0.1',
      podIP: '10.1.0.1',
      qosClass: 'Burstable',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        ...since,
      })),
      containerStatuses: ['main', 'sidecar'].map((container) => ({
        name: container,
        ready: true,
        started: true,
        restartCount: 0,
        image: `registry.example/${app}/${container}:1.2.3`,
        imageID: `registry.example/${app}/${container}@sha256:${'1'.repeat(64)}`,
        containerID: `containerd://${'2'.repeat(64)}`,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      })),
    },
  };
}

const containerOf = (app: string, name: string) => ({
  name,
  image: `registry.example/${app}/${name}:1.2.3`,
  imagePullPolicy: 'IfNotPresent',
  env: ['LOG_LEVEL', 'REGION', 'OTEL_EXPORTER_OTLP_ENDPOINT'].map((variable) => ({
    name: variable,
    valueFrom: { configMapKeyRef: { name: app, key: variable.toLowerCase() } },
  })),
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  livenessProbe: {
    httpGet: { path: '/live', port: 'http', scheme: 'HTTP' },
    periodSeconds: 10,
    timeoutSeconds: 1,
  },
  readinessProbe: {
    httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' },
    periodSeconds: 10,
    timeoutSeconds: 1,
  },
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: '/etc/config', readOnly: true },
    { name: 'kube-api-access', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
  ],
});
