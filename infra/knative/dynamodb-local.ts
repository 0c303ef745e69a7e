import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { ServerlessFile } from '../serverless/model.ts';
import { restricted } from './container.ts';
import type { Installation } from './installed.ts';
import { selectorLabels } from './manifest.ts';

export const storeComponent = 'store';
export const storePort = 8000;

const image = 'amazon/dynamodb-local:3.1.0';
const user = 1000;

const nameIn = ({ service }: Pick<ServerlessFile, 'service'>): string => `${service}-dynamodb`;

export const dynamodbAddress = (file: Pick<ServerlessFile, 'service' | 'namespace'>): string =>
  `http://${nameIn(file)}.${file.namespace}.svc:${storePort}`;

/**
 * DynamoDB Local, for clusters without AWS: one instance with a volume. It keeps hints, not decisions: while it
 * is away, deletions continue with fewer hints.
 */
export function dynamodbLocal({ file }: Installation): KubeObject[] {
  const name = nameIn(file);
  const metadata = { name, namespace: file.namespace };
  const labels = selectorLabels(file.service, storeComponent);
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      // Server-side apply tells ports apart by their protocol as well, and older API servers do not fill it in.
      spec: {
        selector: labels,
        ports: [{ name: 'http', protocol: 'TCP', port: storePort, targetPort: 'http' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 1,
        // Two at a time would share one volume.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(name) },
      },
    },
  ];
}

const podOf = (claim: string) => ({
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsUser: user, runAsGroup: user, fsGroup: user, runAsNonRoot: true },
  containers: [
    {
      name: storeComponent,
      image,
      // Without telemetry to Amazon. One database for all clients, with any keys.
      args: [
        '-Djava.library.path=./DynamoDBLocal_lib',
        '-jar',
        'DynamoDBLocal.jar',
        '-sharedDb',
        '-dbPath',
        '/data',
        '-disableTelemetry',
      ],
      env: [{ name: 'DDB_LOCAL_TELEMETRY', value: '0' }],
      ports: [{ name: 'http', protocol: 'TCP', containerPort: storePort }],
      readinessProbe: { tcpSocket: { port: 'http' } },
      resources: { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '512Mi' } },
      securityContext: restricted,
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'tmp', mountPath: '/tmp' },
      ],
    },
  ],
  volumes: [
    { name: 'data', persistentVolumeClaim: { claimName: claim } },
    { name: 'tmp', emptyDir: {} },
  ],
});
