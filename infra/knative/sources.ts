import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { selectorOf } from '../../shared/kubernetes/selector-text.ts';
import { atRestAnnotation, whileDeletingAnnotation } from '../../shared/runtime/ping-schedule.ts';
import type { ApiServerSource, PingSource } from '../serverless/model.ts';
import { sinkOf } from './broker.ts';
import type { Installation } from './installed.ts';

const apiVersion = 'sources.knative.dev/v1';

/**
 * One source in each namespace that has Machines, or one for all if the user names none. For that one Knative puts the
 * names of all namespaces into its adapter. It replaces that adapter whenever a namespace is created.
 */
export function apiServerSources(source: ApiServerSource, installation: Installation): KubeObject[] {
  const namespaces = installation.namespaces ?? source.namespaces;
  if (namespaces === undefined)
    return [apiServerSource(source, source.namespace, installation, { namespaceSelector: {} })];
  return namespaces.map((namespace) => apiServerSource(source, namespace, installation));
}

const apiServerSource = (
  { name, kind, labelSelector, apiVersion: watched }: ApiServerSource,
  namespace: string,
  installation: Installation,
  where: object = {},
): KubeObject => ({
  apiVersion,
  kind: 'ApiServerSource',
  metadata: { name, namespace },
  spec: {
    serviceAccountName: installation.file.serviceAccounts.sources,
    mode: 'Resource',
    resources: [
      {
        apiVersion: watched,
        kind,
        ...(labelSelector === undefined ? {} : { selector: selectorOf(labelSelector) }),
      },
    ],
    ...where,
    sink: sinkOf(installation),
  },
});

/** Knative cannot suspend a PingSource: one that may rest says both of its schedules, and the functions set one. */
export function pingSource(source: PingSource, installation: Installation): KubeObject {
  const { name, namespace, schedule, atRest, contentType, data, ceOverrides } = source;
  const annotations =
    atRest === undefined ? undefined : { [whileDeletingAnnotation]: schedule, [atRestAnnotation]: atRest };
  return {
    apiVersion,
    kind: 'PingSource',
    metadata: { name, namespace, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      schedule,
      ...(contentType === undefined ? {} : { contentType }),
      ...(data === undefined ? {} : { data }),
      ...(ceOverrides === undefined ? {} : { ceOverrides }),
      sink: sinkOf(installation),
    },
  };
}

/** Tells the instances of a Service where the Broker is, by the variable K_SINK. */
export const sinkBinding = (service: string, installation: Installation): KubeObject => {
  const { namespace } = installation.file;
  return {
    apiVersion,
    kind: 'SinkBinding',
    metadata: { name: service, namespace },
    spec: {
      subject: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: service, namespace },
      sink: sinkOf(installation),
    },
  };
};
