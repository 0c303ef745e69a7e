import type * as z from 'zod';
import type { EventingOptions } from '../../../infra/local/eventing/open-eventing.ts';
import type { Delivery, Filter } from '../../../infra/serverless/model.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import {
  apiServerSourceSchema,
  brokerSchema,
  configMapSchema,
  knativeServiceSchema,
  pingSourceSchema,
  type RenderedDelivery,
  type ServiceAddress,
  triggerSchema,
} from './knative-objects.ts';

type Declared = EventingOptions['file'];

/** What Knative Eventing would make of the manifests; `addressOf` says where a Service is reached. */
export function eventingOf(objects: readonly KubeObject[], addressOf: (service: string) => string): Declared {
  const urlOf = ({ ref, uri }: ServiceAddress): string => new URL(uri, addressOf(ref.name)).href;
  const delivered = (written: RenderedDelivery | undefined): { delivery?: Delivery } => {
    if (written === undefined) return {};
    const { deadLetterSink, ...rest } = written;
    return { delivery: { ...rest, ...(deadLetterSink && { deadLetterSink: urlOf(deadLetterSink) }) } };
  };
  const [broker] = read(objects, ['eventing.knative.dev', 'Broker'], brokerSchema);
  if (broker === undefined) throw new Error('no Broker is rendered');
  return {
    broker: { ...broker.metadata, ...delivered(broker.spec.delivery) },
    triggers: read(objects, ['eventing.knative.dev', 'Trigger'], triggerSchema).map(({ metadata, spec }) => ({
      name: metadata.name,
      namespace: metadata.namespace,
      broker: spec.broker,
      subscriber: { service: spec.subscriber.ref.name, path: spec.subscriber.uri },
      ...(spec.filter && { filter: spec.filter }),
      ...(spec.filters && { filters: spec.filters.map(filterOf) }),
      ...delivered(spec.delivery),
    })),
    apiServerSources: apiServerSources(objects),
    pingSources: read(objects, ['sources.knative.dev', 'PingSource'], pingSourceSchema).map(
      ({ metadata, spec: { schedule, contentType, data } }) => ({
        ...metadata,
        schedule,
        ...(contentType === undefined ? {} : { contentType }),
        ...(data === undefined ? {} : { data }),
      }),
    ),
  };
}

/** A source watches its own namespace unless it says all of them. */
function apiServerSources(objects: readonly KubeObject[]): Declared['apiServerSources'] {
  const sources = read(objects, ['sources.knative.dev', 'ApiServerSource'], apiServerSourceSchema);
  return sources.map(({ metadata: { name, namespace }, spec }) => {
    const [{ apiVersion, kind }] = spec.resources;
    const everywhere = spec.namespaceSelector !== undefined;
    const where = everywhere ? {} : { namespaces: [namespace] };
    return { name, namespace, apiVersion, kind, plural: 'machines', ...where };
  });
}

/** The environment of the one container, and whose ServiceAccount it has. */
export function containerOf(objects: readonly KubeObject[]) {
  const [service, ...others] = read(objects, ['serving.knative.dev', 'Service'], knativeServiceSchema);
  if (service === undefined || others.length > 0)
    throw new Error('one Knative Service is played here, not more');
  const { serviceAccountName, containers } = service.spec.template.spec;
  const [{ env, envFrom }] = containers;
  const maps = read(objects, ['', 'ConfigMap'], configMapSchema);
  const given = envFrom.flatMap(({ configMapRef }) =>
    maps.filter(({ metadata }) => metadata.name === configMapRef?.name).map(({ data }) => data),
  );
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const environment: Record<string, string> = Object.assign({}, ...given, own);
  return { name: service.metadata.name, serviceAccountName, environment };
}

function read<T extends z.ZodType>(
  objects: readonly KubeObject[],
  [group, kind]: readonly [group: string, kind: string],
  schema: T,
): z.infer<T>[] {
  return objects
    .filter(
      (object) =>
        object.kind === kind && (object.apiVersion ?? '').split('/').slice(0, -1).join('/') === group,
    )
    .map((object) => schema.parse(object));
}

/** Each has one dialect as its only key. */
function filterOf(written: Record<string, unknown>): Filter {
  const [[dialect, value] = []] = Object.entries(written);
  if (dialect === 'any' || dialect === 'all')
    return dialect === 'any' ? { any: listOf(value) } : { all: listOf(value) };
  if (dialect === 'exact') return { exact: textsOf(value) };
  throw new Error(`filters in the dialect ${dialect} are not played here`);
}

const listOf = (value: unknown): Filter[] =>
  (Array.isArray(value) ? value : []).map((one) => filterOf(Object(one)));

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, text]) => [name, String(text)]));
