import { type Dialect, resourceOf } from '../../shared/dialects/dialect.ts';
import { dialects } from '../../shared/dialects/registry.ts';
import type { Kubernetes, Resource } from '../../shared/kubernetes/client.ts';

/** A Machine API as a cluster serves it. */
export interface MachineApi {
  dialect: Dialect;
  /** The version that its Machines are read and written in. */
  apiVersion: string;
  resource: Resource;
}

/** The API server serves no Machine API. */
export class NoMachineApi extends Error {
  constructor(where: string, wanted: readonly Dialect[] = dialects) {
    const groups = wanted.map(({ group }) => group).join(', ');
    super(`${where} serves no Machines (none of ${groups} is installed there)`);
    this.name = 'NoMachineApi';
  }
}

/**
 * Those of the wanted Machine APIs that are there, in the newest version of each that is known. Throws NoMachineApi,
 * Unavailable.
 */
export async function servedMachineApis(
  kubernetes: Pick<Kubernetes, 'discover'>,
  where: string,
  wanted: readonly Dialect[] = dialects,
): Promise<MachineApi[]> {
  const found = await Promise.all(wanted.map((dialect) => servedMachineApi(kubernetes, dialect)));
  const apis = found.filter((api) => api !== undefined);
  if (apis.length === 0) throw new NoMachineApi(where, wanted);
  return apis;
}

/** The Machine API in the newest version that is known and served; undefined if none is. Throws Unavailable. */
export async function servedMachineApi(
  kubernetes: Pick<Kubernetes, 'discover'>,
  dialect: Dialect,
): Promise<MachineApi | undefined> {
  for (const version of dialect.versions) {
    if ((await kubernetes.discover(dialect.group, 'Machine', version)) === undefined) continue;
    return { dialect, apiVersion: `${dialect.group}/${version}`, resource: resourceOf(dialect, version) };
  }
  return undefined;
}
