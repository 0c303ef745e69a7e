import type { ApiServer } from '../../../../infra/local/kubernetes/server/api-server.ts';
import { at, objectOf } from '../../../../infra/local/kubernetes/server/json.ts';
import type { ApiRequest, ApiResponse } from '../../../../infra/local/kubernetes/server/request.ts';
import { list, text } from '../../knative/at.ts';

const services = /^\/apis\/serving\.knative\.dev\/v1\/namespaces\/([^/]+)\/services\/([^/]+)$/;

export interface Webhooks {
  /** How many requests a SinkBinding takes until Knative's webhook knows it. */
  bindsAfter: number;
}

/**
 * What Knative's webhooks do to a Service. Serving from 1.20 on dry-runs a Pod in a dry run of the Service, and a Pod
 * needs its ServiceAccount. Eventing adds the address of the Broker once it knows the SinkBinding.
 */
export function withWebhooks(apiServer: ApiServer, { bindsAfter }: Webhooks): ApiServer {
  const { cluster } = apiServer;
  let asked = 0;
  const bound = (namespace: string): boolean =>
    cluster
      .list('sinkbindings.sources.knative.dev')
      .some(({ metadata }) => metadata.namespace === namespace) && (asked += 1) > bindsAfter;
  return {
    ...apiServer,
    respond(request) {
      const [, namespace = '', name = ''] = services.exec(request.path) ?? [];
      if (name === '' || request.method !== 'PATCH') return apiServer.respond(request);
      const service: unknown = JSON.parse(request.body ?? '{}');
      const account = text(at(service, 'spec', 'template', 'spec', 'serviceAccountName')) || 'default';
      const isDryRun = request.query?.['dryRun'] === 'All';
      const hasAccount =
        account === 'default' || cluster.get('serviceaccounts', namespace, account) !== undefined;
      if (isDryRun && !hasAccount) return refused(namespace, account);
      return apiServer.respond(bound(namespace) ? withSink(request, service) : request);
    },
  };
}

/** Serving's words on a real cluster. */
function refused(namespace: string, account: string): ApiResponse {
  const message = `admission webhook "validation.webhook.serving.knative.dev" denied the request: validation failed: dry run failed with pods "dry-run-validation" is forbidden: error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found: spec.template`;
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 400, message }),
  };
}

function withSink(request: ApiRequest, service: unknown): ApiRequest {
  const { spec, ...rest } = objectOf(service);
  const template = objectOf(at(spec, 'template'));
  const pod = objectOf(template['spec']);
  const env = [{ name: 'K_SINK', value: 'http://broker/phaseout' }];
  const containers = list(pod['containers']).map((container) => ({ ...objectOf(container), env }));
  const bound = { ...objectOf(spec), template: { ...template, spec: { ...pod, containers } } };
  return { ...request, body: JSON.stringify({ ...rest, spec: bound }) };
}
