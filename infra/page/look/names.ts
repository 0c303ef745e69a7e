import { MachineUnreadable } from '../../../shared/dialects/dialect.ts';
import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import type { Machine } from '../../../shared/machine/machine.ts';
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
export function nodesIn(seen: Seen): { nodesIn?: WorkloadRef } {
  const workload = read(seen, (machine) => seen.api.dialect.workload(machine));
  return workload === undefined ? {} : { nodesIn: workload };
}

/** The Cluster that a Machine names; nothing where it names none. */
export function clusterOf(seen: Seen): { cluster?: string } {
  const cluster = read(seen, ({ clusterName }) => clusterName);
  return cluster === undefined ? {} : { cluster };
}

/** Undefined where the Machine lacks what its API demands. */
function read<T>({ api: { dialect }, machine }: Seen, find: (machine: Machine) => T): T | undefined {
  try {
    return find(dialect.read(machine));
  } catch (error) {
    if (!(error instanceof MachineUnreadable)) throw error;
    return undefined;
  }
}
