import type { StoreReport } from '../../../shared/adapters/dynamodb/client.ts';
import type { RequestReport } from '../../../shared/adapters/kubernetes/request.ts';
import type { Metrics } from '../../../shared/runtime/metrics.ts';
import type { Tracing } from '../../../shared/runtime/tracing.ts';

/** Where requests are counted and traced. */
interface Observers {
  metrics: Metrics;
  tracing: Tracing;
}

/** Counts and traces the requests to API servers. */
export function observeApiRequest(
  { metrics, tracing }: Observers,
  cluster: 'management' | 'workload',
  { verb, resource: path, code, milliseconds }: RequestReport,
): void {
  // A request without a resource is a discovery request.
  const resource = path.startsWith('/') ? 'discovery' : path;
  metrics.count('apiRequests', { cluster, verb, resource, code: String(code) });
  metrics.observe('apiRequestSeconds', { cluster, verb }, milliseconds / 1_000);
  const attributes = {
    'phaseout.cluster': cluster,
    'phaseout.kubernetes.verb': verb,
    'phaseout.kubernetes.resource': path,
    'http.response.status_code': code,
  };
  const failure = code === 0 || code >= 500 ? failureOf(code) : undefined;
  tracing.asked(`${verb} ${resource}`, { milliseconds, attributes, failure });
}

const failureOf = (code: number): string => (code === 0 ? 'no answer' : `status ${code}`);

/** Counts and traces the requests to DynamoDB. */
export function observeStoreRequest(
  { metrics, tracing }: Observers,
  { operation, outcome, milliseconds, failure }: StoreReport,
): void {
  metrics.count('storeRequests', { operation, outcome });
  metrics.observe('storeRequestSeconds', { operation }, milliseconds / 1_000);
  const attributes = { 'db.system.name': 'aws.dynamodb', 'db.operation.name': operation };
  tracing.asked(`DynamoDB ${operation}`, { milliseconds, attributes, failure });
}
