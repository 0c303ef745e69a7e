import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { MachineName } from '../views.ts';
import type { Seen } from './machine-watch.ts';

/** As users name a Machine API. */
export const apiNameOf = ({ apiVersion }: Pick<MachineApi, 'apiVersion'>): string => apiNameIn(apiVersion);

/** The same of an apiVersion: its group where it has no name. */
export const apiNameIn = (apiVersion: string): string =>
  machineApiOf({ apiVersion, kind: 'Machine' }) ?? apiVersion.split('/')[0] ?? '';

export const nameOf = ({ api, machine }: Seen): MachineName => ({
  api: apiNameOf(api),
  namespace: machine.metadata.namespace ?? '',
  name: machine.metadata.name,
});

export const isNamed = (named: MachineName, other: MachineName): boolean =>
  named.api === other.api && named.namespace === other.namespace && named.name === other.name;

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
