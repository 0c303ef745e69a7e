import { annotatedHook, listedHook, type OurHook } from '../../shared/dialects/beside/hook.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { besideApis, type MachineApiName } from '../../shared/dialects/registry.ts';
import type { Kubernetes, Resource, Selection } from '../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../shared/kubernetes/objects.ts';
import { type MachineApi, servedMachineApi } from '../host/served-machine-apis.ts';

/** A Machine API whose Machines may have our hook, as a cluster serves it. */
export interface HookedApi extends MachineApi {
  name: MachineApiName;
  hook: OurHook;
}

interface Kind {
  dialect: Dialect;
  hookOf: (installation: string) => OurHook;
}

const kinds: Readonly<Record<(typeof besideApis)[number], Kind>> = {
  capi: { dialect: clusterApi, hookOf: annotatedHook },
  openshift: { dialect: openShift, hookOf: listedHook },
};

/** Those that the cluster serves, with the hook of an installation in each. Throws Unavailable. */
export async function hookedApis(
  kubernetes: Pick<Kubernetes, 'discover'>,
  installation: string,
): Promise<HookedApi[]> {
  const found = await Promise.all(
    besideApis.map(async (name) => {
      const { dialect, hookOf } = kinds[name];
      const api = await servedMachineApi(kubernetes, dialect);
      return api && { ...api, name, hook: hookOf(installation) };
    }),
  );
  return found.filter((api) => api !== undefined);
}

/**
 * Machines with a hook of this name, of any owner. Only the needed part of each is kept: a cluster may have thousands.
 */
export async function listHooked(
  kubernetes: Pick<Kubernetes, 'list'>,
  { resource, hook }: { resource: Resource; hook: OurHook },
  where: Selection = {},
): Promise<KubeObject[]> {
  const { items } = await kubernetes.list(resource, where, (machine) =>
    hook.ownerOn(machine) === undefined ? undefined : hook.part(machine),
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
