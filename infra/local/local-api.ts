import type { Clock } from '../../shared/clock.ts';
import { type ApiServer, createApiServer } from './kubernetes/api-server.ts';
import { listen } from './kubernetes/http.ts';
import { kubeconfigFor } from './kubeconfig.ts';
import { installPolicies, readAdmissionPolicies } from './load/admission-policies.ts';
import { type Loaded, load } from './load/load.ts';
import type { Manifest } from './manifests.ts';

export interface LocalApi extends Loaded {
  apiServer: ApiServer;
  url: string;
  /** The text of a kubeconfig that leads to it. */
  kubeconfig: string;
  close(): Promise<void>;
}

export interface LocalApiOptions {
  manifests: readonly Manifest[];
  clock: Clock;
  random: () => number;
}

/** An emulated Kubernetes API on 127.0.0.1 that holds the manifests, without any controller. Throws ManifestUnreadable. */
export async function startLocalApi({ manifests, clock, random }: LocalApiOptions): Promise<LocalApi> {
  const policies = await readAdmissionPolicies();
  const apiServer = createApiServer({ clock, random });
  const listening = await listen(apiServer);
  const { url } = listening;
  const close = (): Promise<void> => listening.close();
  try {
    const loaded = load(apiServer, manifests, url);
    installPolicies(apiServer, policies);
    return { apiServer, url, kubeconfig: kubeconfigFor(url), close, ...loaded };
  } catch (error) {
    await close();
    throw error;
  }
}
