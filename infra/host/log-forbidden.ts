import type { RequestReport } from '../../shared/adapters/kubernetes/request.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';

/**
 * Logs each missing permission once. Without a watch nothing fails, but each wait ends later. `cluster` is
 * the side that serverless.yml grants it on.
 */
export function logForbidden(
  log: Pick<InstanceLog, 'once'>,
  cluster: 'management' | 'workload',
  { verb, resource, code }: RequestReport,
): void {
  if (code !== 403) return;
  log
    .once(`forbidden: ${cluster} ${verb} ${resource}`)
    .warn('Request was forbidden', { cluster, verb, resource });
}
