import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { Seen } from './machine-watch.ts';

/** Which cluster has the Node of a Machine; nothing where that is unknown. */
export function nodesIn({ api: { dialect }, machine }: Seen): { nodesIn?: WorkloadRef } {
  try {
    const workload = dialect.workload(dialect.read(machine));
    return workload === undefined ? {} : { nodesIn: workload };
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return {};
  }
}
