import { createHash } from 'node:crypto';
import { machineApiOf } from '../../shared/dialects/registry.ts';
import type {
  ApiServerSource,
  Broker,
  ChangeName,
  KnativeService,
  PingSource,
  Selection,
  ServerlessFile,
  Subscriber,
  Trigger,
} from './model.ts';
import { nameOf, type Written, type WrittenEvent } from './schema.ts';

type Provider = Written['provider'];
type WrittenApiServer = NonNullable<WrittenEvent['apiServer']>;

/** An event with what it needs to know of its function. */
interface Entry {
  functionName: string;
  service: string;
  event: WrittenEvent;
  /** Of the Trigger, and of the PingSource if there is one. */
  name: string;
}

/** Turns what is written into the objects it stands for. */
export function resolve({ service, provider, functions }: Written): ServerlessFile {
  const entries = Object.entries(functions).flatMap(([functionName, { service: home, events }]) =>
    events.map((event) => ({ functionName, service: home, event, name: entryName(functionName, event) })),
  );
  const { namespace, image, environment, network } = provider;
  return {
    service,
    namespace,
    image,
    serviceAccounts: {
      functions: provider.serviceAccountName,
      sources: provider.sources.serviceAccountName,
      table: provider.table.serviceAccountName,
    },
    environment,
    ...(network === undefined ? {} : { network }),
    broker: brokerOf(provider, entries),
    functions: Object.entries(functions).map(([name, { handler, service: home }]) => ({
      name,
      handler,
      service: home,
    })),
    services: servicesOf(provider, functions),
    triggers: entries.flatMap((entry) => triggersOf(provider, entry)),
    apiServerSources: apiServerSourcesOf(provider, entries),
    pingSources: entries.flatMap((entry) => pingSourcesOf(provider, entry)),
    permissions: provider.permissions,
  };
}

const entryName = (functionName: string, event: WrittenEvent): string =>
  [functionName, nameOf(event)].filter((part) => part !== undefined).join('-');

function brokerOf({ broker, namespace, delivery }: Provider, entries: Entry[]): Broker {
  const sink = entries.find(({ event }) => event.deadLetter !== undefined);
  return {
    ...broker,
    namespace,
    ...(delivery === undefined ? {} : { delivery }),
    ...(sink === undefined ? {} : { deadLetter: subscriberOf(sink) }),
  };
}

const subscriberOf = ({ service, functionName }: Entry): Subscriber => ({
  service,
  path: `/${functionName}`,
});

function servicesOf(provider: Provider, functions: Written['functions']): KnativeService[] {
  const names = [...new Set(Object.values(functions).map(({ service }) => service))];
  return names.map((name) => ({
    name,
    namespace: provider.namespace,
    functions: Object.keys(functions).filter((key) => functions[key]?.service === name),
    scaling: { ...provider.scaling, ...provider.services[name]?.scaling },
    resources: provider.services[name]?.resources ?? provider.resources,
    environment: { ...provider.environment, ...provider.services[name]?.environment },
    serviceAccountName: provider.serviceAccountName,
  }));
}

/** None for dead letters: the Broker has a field of its own for them. */
function triggersOf(provider: Provider, entry: Entry): Trigger[] {
  const { apiServer, ping, trigger, deadLetter } = entry.event;
  if (deadLetter !== undefined) return [];
  const delivery = (apiServer ?? ping ?? trigger)?.delivery;
  const machineApi = apiServer === undefined ? undefined : machineApiOf(apiServer);
  return [
    {
      name: entry.name,
      namespace: provider.namespace,
      broker: provider.broker.name,
      ...selectionOf(provider, entry),
      subscriber: subscriberOf(entry),
      ...(delivery === undefined ? {} : { delivery }),
      ...(machineApi === undefined ? {} : { machineApi }),
    },
  ];
}

function selectionOf({ namespace }: Provider, { event, name }: Entry): Selection {
  const { apiServer, ping, trigger } = event;
  if (apiServer !== undefined) return changesOf(apiServer);
  if (ping !== undefined) {
    return {
      filter: { attributes: { type: 'dev.knative.sources.ping', source: pingAddress(namespace, name) } },
    };
  }
  const { filter, filters } = trigger ?? {};
  return { ...(filter === undefined ? {} : { filter }), ...(filters === undefined ? {} : { filters }) };
}

/**
 * Not by source: an ApiServerSource puts the API server's address there, another one in every cluster. Brokers that
 * know `filters` ignore the first one. RabbitMQ's knows no other, and would let everything through.
 */
const changesOf = ({ changes, apiVersion, kind }: WrittenApiServer): Selection => ({
  filter: { attributes: { apiversion: apiVersion, kind } },
  filters: [
    { any: changes.map((change) => ({ exact: { type: changeType(change) } })) },
    { exact: { apiversion: apiVersion, kind } },
  ],
});

const changeType = (change: ChangeName) => `dev.knative.apiserver.resource.${change}`;

/** The `source` of a PingSource's events. */
export const pingAddress = (namespace: string, name: string): string =>
  `/apis/v1/namespaces/${namespace}/pingsources/${name}`;

/** One per resource, however many functions ask for it: two would send every change twice. */
function apiServerSourcesOf({ namespace }: Provider, entries: Entry[]): ApiServerSource[] {
  const sources = entries.flatMap(({ event: { apiServer } }) => {
    if (apiServer === undefined) return [];
    const { name: _name, delivery: _delivery, changes: _changes, ...resource } = apiServer;
    const machineApi = machineApiOf(resource);
    return [
      {
        name: sourceName(resource),
        namespace,
        ...resource,
        ...(machineApi === undefined ? {} : { machineApi }),
      },
    ];
  });
  return [...new Map(sources.map((source) => [source.name, source])).values()];
}

/** Of what a source watches, so that two never watch the same. */
export function sourceName(source: Omit<ApiServerSource, 'name' | 'namespace'>): string {
  const { plural, apiVersion, labelSelector, namespaces } = source;
  const plain = `${plural}.${apiVersion}`.replaceAll(/[./]/g, '-');
  if (labelSelector === undefined && namespaces === undefined) return plain;
  const text = JSON.stringify([labelSelector, namespaces]);
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

function pingSourcesOf({ namespace }: Provider, { event: { ping }, name }: Entry): PingSource[] {
  if (ping === undefined) return [];
  const { schedule, atRest, data, ceOverrides } = ping;
  return [
    {
      name,
      namespace,
      schedule,
      ...(atRest === undefined ? {} : { atRest }),
      ...(data === undefined ? {} : { contentType: 'application/json', data: JSON.stringify(data) }),
      ...(ceOverrides === undefined ? {} : { ceOverrides }),
    },
  ];
}
