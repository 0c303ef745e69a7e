import { annotatedHook, listedHook, type OurHook } from '../../shared/dialects/beside/hook.ts';
import { clusterApi } from '../../shared/dialects/capi/index.ts';
import type { Dialect } from '../../shared/dialects/dialect.ts';
import { openShift } from '../../shared/dialects/openshift/index.ts';
import { besideApis, type MachineApiName } from '../../shared/dialects/registry.ts';
import type { Kubernetes } from '../../shared/kubernetes/client.ts';
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
