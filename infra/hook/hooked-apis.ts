import { annotatedHooks, listedHooks, listOf, type OurHooks } from '../../shared/dialects/beside/hook.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { besideApis, type MachineApiName } from '../../shared/dialects/registry.ts';
import type { Kubernetes, Resource, Selection } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { type MachineApi, servedMachineApi } from '../host/served-machine-apis.ts';

/** A Machine API whose Machines may have our hooks, as a cluster serves it. */
export interface HookedApi extends MachineApi {
  name: MachineApiName;
  hooks: OurHooks;
}

interface Kind {
  dialect: Dialect;
  hooksOf: (installation: string) => OurHooks;
}

const kinds: Readonly<Record<(typeof besideApis)[number], Kind>> = {
  capi: { dialect: clusterApi, hooksOf: annotatedHooks },
  openshift: { dialect: openShift, hooksOf: listedHooks },
};

/** Those that the cluster serves, with the hooks of an installation in each. Throws Unavailable. */
export async function hookedApis(
  kubernetes: Pick<Kubernetes, 'discover'>,
  installation: string,
): Promise<HookedApi[]> {
  const found = await Promise.all(
    besideApis.map(async (name) => {
      const { dialect, hooksOf } = kinds[name];
      const api = await servedMachineApi(kubernetes, dialect);
      return api && { ...api, name, hooks: hooksOf(installation) };
    }),
  );
  return found.filter((api) => api !== undefined);
}

/**
 * Machines with a hook of these names, of any owner. Only the needed part of each is kept: a cluster may have thousands.
 */
export async function listHooked(
  kubernetes: Pick<Kubernetes, 'list'>,
  { resource, hooks }: { resource: Resource; hooks: OurHooks },
  where: Selection = {},
): Promise<KubeObject[]> {
  const { items } = await kubernetes.list(resource, where, (machine) =>
    listOf(hooks)
      .find((hook) => hook.ownerOn(machine) !== undefined)
      ?.part(machine),
  );
  return items;
}

/** A hook's name, the last part of its annotation's key, has at most 63 characters, `phaseout-` among them. */
const pattern = /^[a-z0-9](?:[-a-z0-9]{0,52}[a-z0-9])?$/;

/** Why an installation cannot be called so; undefined where it can. It may be without a name: then this is empty. */
export const installationNameProblem = (name: string): string | undefined =>
  name === '' || pattern.test(name)
    ? undefined
    : `an installation is named by at most 54 lower-case letters, digits and dashes, not ${JSON.stringify(name)}`;
