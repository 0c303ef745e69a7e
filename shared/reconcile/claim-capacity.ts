import { workloadName } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { knownDialect } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';

/**
 * Counts the request for the workload cluster that it will wait for. Throws where that cluster has as many as it may.
 * @param machine as far as it is known: a request without one is not counted
 */
export function claimPlace(env: Environment, machine: KubeObject | undefined): void {
  if (machine === undefined || env.claim === undefined) return;
  const dialect = knownDialect(env, machine.apiVersion ?? '');
  const workload = dialect?.workload(dialect.read(machine));
  if (workload !== undefined) env.claim(workloadName(workload));
}
