import { apiGroups, apiNameOf } from '../../infra/cli/api-names.ts';
import { type MachineApi, NoMachineApi, servedMachineApis } from '../../infra/host/served-machine-apis.ts';
import { newestVersions } from '../../infra/knative/options.ts';
import type { MachineApiVersions } from '../../infra/serverless/for-machine-apis.ts';
import { CannotDo } from '../../infra/terminal/usage-error.ts';
import { resources } from './kinds.ts';
import type { Site } from './site.ts';

/** The version of Cluster API that a story is told in; it is written in the newest. */
export type CapiVersion = 'v1beta2' | 'v1beta1';

export interface MachineApisHere {
  served: readonly MachineApi[];
  /** The version of each; those that are missing are made in their newest. */
  machineApis: Required<MachineApiVersions>;
  capi: CapiVersion;
  /** Machines of Cluster API show by a reason how far their deletion has come: in v1beta1 since Cluster API 1.9. */
  hasReasons: boolean;
}

/** Throws CannotDo where the server has Machines in no known version: a test can neither read nor report them. */
export async function machineApisAt(site: Site): Promise<MachineApisHere> {
  const served = await servedAt(site);
  for (const group of Object.values(apiGroups)) {
    const isKnown = served.some(({ dialect }) => dialect.group === group);
    const other = isKnown ? undefined : await site.kubernetes.discover(group, 'Machine');
    if (other === undefined) continue;
    throw new CannotDo(
      `${site.server} serves Machines of ${group} in ${other.version}, which is not known here`,
    );
  }
  const versions = served.map(({ dialect, apiVersion }) => [apiNameOf(dialect.group), apiVersion]);
  const machineApis = { ...newestVersions, ...Object.fromEntries(versions) };
  const capi = machineApis.capi === 'cluster.x-k8s.io/v1beta1' ? 'v1beta1' : 'v1beta2';
  return { served, machineApis, capi, hasReasons: capi === 'v1beta2' || (await hasNewConditions(site)) };
}

async function servedAt({ kubernetes, server }: Site): Promise<MachineApi[]> {
  try {
    return await servedMachineApis(kubernetes, server);
  } catch (error) {
    if (error instanceof NoMachineApi) return [];
    throw error;
  }
}

/** What the schema does not name is dropped when a status is written. */
async function hasNewConditions({ kubernetes }: Site): Promise<boolean> {
  const found = await kubernetes.get(resources.definitions, { name: 'machines.cluster.x-k8s.io' });
  const versions: unknown = Object(found?.['spec']).versions;
  const old = (Array.isArray(versions) ? versions : []).find((one) => Object(one).name === 'v1beta1');
  const schema = Object(Object(Object(old).schema).openAPIV3Schema);
  const status = Object(Object(schema.properties).status);
  const keepsAll = [schema, status].some((part) => part['x-kubernetes-preserve-unknown-fields'] === true);
  return keepsAll || Object(status.properties).v1beta2 !== undefined;
}
