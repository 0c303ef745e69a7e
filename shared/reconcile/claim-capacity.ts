import { workloadName } from '../kubernetes/client.ts';
import type { KubeObject } from '../kubernetes/objects.ts';
import { knownDialect } from '../read/machine.ts';
import type { Environment } from '../runtime/environment.ts';

/**
 * Counts the request for the workload cluster that it will wait for. Throws where that cluster has as many as it may.
 * @param workload as far as it is known: a request without one is not counted
 */
export function claimPlace(
  { reserveCapacity }: Pick<Environment, 'reserveCapacity'>,
  workload: string | undefined,
): void {
  if (workload !== undefined) reserveCapacity?.(workload);
}

/** The name of the workload cluster of a Machine; undefined where it is not known. */
export function workloadNamed(env: Environment, machine: KubeObject | undefined): string | undefined {
  if (machine === undefined) return undefined;
  const dialect = knownDialect(env, machine.apiVersion ?? '');
  const workload = dialect?.workload(dialect.read(machine));
  return workload && workloadName(workload);
}
