import { machineApiOf } from '../../../shared/dialects/registry.ts';
import type { MachineApi } from '../../host/served-machine-apis.ts';
import type { MachineName } from '../views.ts';
import type { Seen } from './machine-watch.ts';

/** As users name a Machine API. */
export const apiNameOf = ({ apiVersion, dialect }: MachineApi): string =>
  machineApiOf({ apiVersion, kind: 'Machine' }) ?? dialect.group;

export const nameOf = ({ api, machine }: Seen): MachineName => ({
  api: apiNameOf(api),
  namespace: machine.metadata.namespace ?? '',
  name: machine.metadata.name,
});

export const isNamed = (named: MachineName, other: MachineName): boolean =>
  named.api === other.api && named.namespace === other.namespace && named.name === other.name;
