import type { MachineApi } from '../../../infra/host/served-machine-apis.ts';
import { type Dialect, resourceOf } from '../../../shared/dialects/dialect.ts';

/** A Machine API as a cluster serves it that has this version of it. */
export const servedAs = (dialect: Dialect, version: string): MachineApi => ({
  dialect,
  apiVersion: `${dialect.group}/${version}`,
  resource: resourceOf(dialect, version),
});
