import { onTestFinished } from 'vitest';
import type { Happening } from '../../../../infra/cli/deploy/report.ts';
import type { Site } from '../../../../infra/cli/deploy/site.ts';
import { clusterApiDefinitions } from '../../../../infra/local/kubernetes/crds/cluster-api.ts';
import { customResourceDefinition } from '../../../../infra/local/kubernetes/crds/definition.ts';
import { v1alpha1Definitions } from '../../../../infra/local/kubernetes/crds/v1alpha1.ts';
import type { KubeObject } from '../../../../infra/local/kubernetes/objects/cluster.ts';
import { type ApiServer, createApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { listen } from '../../../../infra/local/kubernetes/server/http.ts';
import { at } from '../../../../infra/local/kubernetes/server/json.ts';
import { kubeconfigFor } from '../../../../infra/local/load/kubeconfigs.ts';
import { connectTools } from '../../../../shared/adapters/kubernetes/install-client.ts';
import { loadKubeConfig } from '../../../../shared/adapters/kubernetes/kube-config.ts';
import { systemClock } from '../../../../shared/time/clock.ts';
import { quickClock } from '../quick-clock.ts';
import { type Webhooks, withWebhooks } from './knative-webhooks.ts';

const definitionsKey = 'customresourcedefinitions.apiextensions.k8s.io';

interface KnativeKind {
  group: string;
  version: string;
  kind: string;
}

const serving: KnativeKind[] = [{ group: 'serving.knative.dev', version: 'v1', kind: 'Service' }];

const eventing: KnativeKind[] = [
  { group: 'eventing.knative.dev', version: 'v1', kind: 'Broker' },
  { group: 'eventing.knative.dev', version: 'v1', kind: 'Trigger' },
  { group: 'eventing.knative.dev', version: 'v1beta2', kind: 'EventType' },
  { group: 'eventing.knative.dev', version: 'v1beta3', kind: 'EventType' },
  { group: 'sources.knative.dev', version: 'v1', kind: 'ApiServerSource' },
  { group: 'sources.knative.dev', version: 'v1', kind: 'PingSource' },
  { group: 'sources.knative.dev', version: 'v1', kind: 'SinkBinding' },
];

/** As Cluster API itself installs it. */
const ofClusterApi = ({ metadata: { name }, ...definition }: KubeObject): KubeObject => ({
  ...definition,
  metadata: { name, labels: { 'cluster.x-k8s.io/provider': 'cluster-api' } },
});

const pluralOf = (kind: string): string => `${kind.toLowerCase()}s`;

function definitionsOf(kinds: readonly KnativeKind[], release: string): KubeObject[] {
  const byKind = Map.groupBy(kinds, ({ group, kind }) => `${pluralOf(kind)}.${group}`);
  return [...byKind.values()].flatMap((versions) => {
    const [first] = versions;
    if (first === undefined) return [];
    const { group, kind } = first;
    return [
      customResourceDefinition({
        group,
        kind,
        plural: pluralOf(kind),
        labels: { 'app.kubernetes.io/version': release },
        versions: versions.map(({ version }) => ({ name: version, subresources: { status: {} } })),
      }),
    ];
  });
}

function createPeer(cluster: ApiServer['cluster']): void {
  cluster.create('namespaces', { metadata: { name: 'capi-system' } });
  cluster.create('leases.coordination.k8s.io', {
    metadata: { namespace: 'capi-system', name: 'controller-leader-election-capi' },
    spec: { renewTime: '2999-01-01T00:00:00.000000Z' },
  });
}

export interface ClusterOptions {
  /** Undefined: not installed. */
  eventing?: string | undefined;
  serving?: string | undefined;
  machines?: 'capi' | 'v1alpha1' | 'none';
  /** Cluster API's own controller runs: its Lease is always just renewed. */
  peer?: boolean;
  /** Objects that never get ready, by name, and why. */
  holding?: Record<string, string>;
  /** What Knative's webhooks do to a Service; 'none': nothing. */
  webhooks?: Webhooks | 'none';
}

/** An API server with Knative's kinds, and a controller that finds everything in order unless it is told otherwise. */
export async function aCluster(options: ClusterOptions = {}) {
  const { machines = 'capi', holding = {} } = options;
  const { eventing: eventingRelease = '1.16.2', serving: servingRelease = '1.16.0' } = options;
  const apiServer = createApiServer({ clock: quickClock(1) });
  const { cluster } = apiServer;
  const has = (name: 'eventing' | 'serving'): boolean => !(name in options) || options[name] !== undefined;
  const definitions = [
    ...(has('eventing') ? definitionsOf(eventing, eventingRelease) : []),
    ...(has('serving') ? definitionsOf(serving, servingRelease) : []),
    ...(machines === 'capi' ? clusterApiDefinitions().map(ofClusterApi) : []),
    ...(machines === 'v1alpha1' ? v1alpha1Definitions : []),
  ];
  for (const definition of definitions) cluster.create(definitionsKey, definition);
  if (options.peer === true) createPeer(cluster);
  for (const resource of cluster.resources().filter((key) => key.endsWith('.knative.dev')))
    onTestFinished(actAsKnative(apiServer, resource, holding));
  onTestFinished(actAsJobController(apiServer, holding));
  onTestFinished(actAsNamespaceController(apiServer));
  onTestFinished(actAsVolumeController(apiServer));
  const { webhooks = { bindsAfter: 0 } } = options;
  const listening = await listen(webhooks === 'none' ? apiServer : withWebhooks(apiServer, webhooks));
  onTestFinished(() => listening.close());
  return { apiServer, cluster, kubeconfig: kubeconfigFor(listening.url), url: listening.url };
}

export type Cluster = Awaited<ReturnType<typeof aCluster>>;

/** The cluster as a command sees it, and what it is told. */
export function siteAt({ kubeconfig, url }: Cluster, interrupted = new AbortController().signal) {
  const told: Happening[] = [];
  const clock = quickClock(200);
  const kubernetes = connectTools(loadKubeConfig({ text: kubeconfig }), { clock: systemClock });
  onTestFinished(() => kubernetes.close());
  const tell = (happening: Happening): void => void told.push(happening);
  const site: Site = {
    kubernetes,
    service: 'phaseout',
    where: url,
    clock,
    interrupted,
    tell,
    othersNode: async () => undefined,
  };
  const texts = (): string[] => told.flatMap((one) => ('text' in one ? [one.text] : []));
  /** `created Trigger phaseout/drain`. */
  const changes = (): string[] =>
    told.flatMap((one) => (one.event === 'object' ? [`${one.change} ${one.object}`] : []));
  return { site, told, texts, changes };
}

type Holding = Readonly<Record<string, string>>;

function actAsKnative({ cluster }: ApiServer, resource: string, holding: Holding): () => void {
  return cluster.watch(resource, ({ type, object }) => {
    const { generation } = object.metadata;
    if (type === 'DELETED' || at(object, 'status', 'observedGeneration') === generation) return;
    const why = holding[object.metadata.name];
    const condition =
      why === undefined ? { status: 'True' } : { status: 'False', reason: 'NotYet', message: why };
    const conditions = [{ type: 'Ready', ...condition }];
    const status = { observedGeneration: generation, conditions };
    cluster.patch(resource, object, { status }, 'status');
  });
}

function actAsJobController({ cluster }: ApiServer, holding: Holding): () => void {
  return cluster.watch('jobs.batch', ({ type, object }) => {
    if (type !== 'ADDED') return;
    const message = holding[object.metadata.name];
    const condition =
      message === undefined
        ? { type: 'Complete', status: 'True' }
        : { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message };
    cluster.patch('jobs.batch', object, { status: { conditions: [condition] } }, 'status');
  });
}

/** No Pod uses a claim here. */
function actAsVolumeController({ cluster }: ApiServer): () => void {
  return cluster.watch('persistentvolumeclaims', ({ type, object }) => {
    if (type === 'DELETED' || object.metadata.deletionTimestamp === undefined) return;
    cluster.patch('persistentvolumeclaims', object, { metadata: { finalizers: null } });
  });
}

/** Nothing is left in a namespace that a test deletes. */
function actAsNamespaceController(apiServer: ApiServer): () => void {
  return apiServer.cluster.watch('namespaces', ({ type, object }) => {
    if (type === 'DELETED' || object.metadata.deletionTimestamp === undefined) return;
    const body = JSON.stringify({ ...object, spec: { finalizers: [] } });
    const path = `/api/v1/namespaces/${object.metadata.name}/finalize`;
    apiServer.respond({ method: 'PUT', path, headers: { 'content-type': 'application/json' }, body });
  });
}
