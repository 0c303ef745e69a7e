import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { WorkloadRef } from '../../../shared/kubernetes/client.ts';
import { readOrNone } from '../../../shared/read/machine.ts';
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
  const read = readOrNone(dialect, machine);
  const workload = read && dialect.workload(read);
  return workload === undefined ? {} : { nodesIn: workload };
}

/** The Cluster that a Machine names; nothing where it names none. */
export function clusterOf({ api: { dialect }, machine }: Seen): { cluster?: string } {
  const cluster = readOrNone(dialect, machine)?.clusterName;
  return cluster === undefined ? {} : { cluster };
}
