import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import type { Network } from '../serverless/model.ts';
import { storeComponent, storePort } from './dynamodb-local.ts';
import type { Installation } from './installed.ts';
import { componentLabel, selectorLabels } from './manifest.ts';
import { functionsComponent, functionsPort } from './service.ts';
import { tableComponent } from './table.ts';

/** Of queue-proxy, which stands before every instance: requests by HTTP/1.1, h2c and TLS, and the autoscaler's readings. */
const queueProxyPorts = [8012, 8013, 8112, 9090];
const queueProxyRequestMetrics = 9091;

const tcp = (port: number) => ({ protocol: 'TCP', port });

/** Of name servers, which on OpenShift listen on 5353 behind their Service's 53, and on Gardener's clusters on 8053. */
const dnsPorts = [53, 5353, 8053];

/**
 * Who may reach our Pods, and what these may reach. Kubelets probe from their own Node, and no policy blocks that.
 * Policies see a Pod's own port, not that of the Service before it.
 */
export function networkPolicies(installation: Installation): KubeObject[] {
  const { network, service, namespace } = installation.file;
  if (network === undefined) return [];
  const egress = reached(network, installation);
  const policies = {
    [functionsComponent]: {
      ...ofComponent(service, functionsComponent),
      ingress: [
        { from: from(network.callers), ports: queueProxyPorts.map(tcp) },
        ...scraped(network, [functionsPort, queueProxyRequestMetrics]),
      ],
      egress,
    },
    [tableComponent]: { ...ofComponent(service, tableComponent), egress },
    // The adapters that Knative runs for our sources. Which API server they watch is Knative's business.
    sources: {
      podSelector: { matchLabels: { 'eventing.knative.dev/source': 'apiserver-source-controller' } },
      policyTypes: ['Ingress'],
      ingress: scraped(network),
    },
    ...(installation.hasDynamodb ? { [storeComponent]: ofStore(service) } : {}),
  };
  return Object.entries(policies).map(([name, spec]) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${service}-${name}`, namespace },
    spec,
  }));
}

/** A policy refuses all traffic that it does not name. */
const ofComponent = (service: string, component: string) => ({
  podSelector: { matchLabels: selectorLabels(service, component) },
  policyTypes: ['Ingress', 'Egress'],
});

const ofStore = (service: string) => ({
  ...ofComponent(service, storeComponent),
  ingress: [{ from: [{ podSelector: usersOfStore }], ports: [tcp(storePort)] }],
});

const usersOfStore = {
  matchExpressions: [{ key: componentLabel, operator: 'In', values: [functionsComponent, tableComponent] }],
};

function reached({ ports }: Network, { environment, file }: Installation) {
  const urls = reachedByUrl(Object.values(environment));
  const others = urls.namespaces.filter((namespace) => namespace !== file.namespace);
  return [
    dns,
    // Brokers listen in Knative's namespace, or in ours, as DynamoDB Local does.
    { to: [...from(['knative-eventing', ...others]), { podSelector: {} }] },
    { ports: [...new Set([...ports, ...urls.ports])].map(tcp) },
  ];
}

const dns = { ports: dnsPorts.flatMap((port) => [{ protocol: 'UDP', port }, tcp(port)]) };

/** What reaches API servers, and nothing of ours. */
export const toApiServers = ({ ports }: Pick<Network, 'ports'>) => [dns, { ports: ports.map(tcp) }];

/** For collectors of metrics, on all ports unless some are named. */
const scraped = ({ scrapers }: Network, ports?: readonly number[]) =>
  scrapers.length === 0 ? [] : [{ from: from(scrapers), ...(ports && { ports: ports.map(tcp) }) }];

/** Every namespace has its name as a label. */
const from = (namespaces: readonly string[]) => [
  {
    namespaceSelector: {
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'In', values: [...new Set(namespaces)] },
      ],
    },
  },
];

const ofService = /^[^.]+\.(?<namespace>[^.]+)\.svc(\.|$)/;

export function reachedByUrl(values: readonly string[]) {
  const urls = values
    .filter((value) => /^https?:/.test(value) && URL.canParse(value))
    .map((url) => new URL(url));
  return {
    namespaces: urls.flatMap((url) => namespaceOf(url) ?? []),
    ports: urls.filter((url) => namespaceOf(url) === undefined).map(portOf),
  };
}

const namespaceOf = ({ hostname }: URL): string | undefined =>
  ofService.exec(hostname)?.groups?.['namespace'];

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
