import type { Key, Kubernetes, Resource, WriteOutcome } from '../../kubernetes/client.ts';
import type { Clock } from '../../time/clock.ts';
import { credentialSource } from './credentials.ts';
import { createDiscovery } from './discovery.ts';
import type { KubeConfig } from './kube-config.ts';
import { get, list, NewestSeen } from './reads.ts';
import type { Transport } from './request.ts';
import { createTransport, type Observers } from './transport.ts';
import { defaultWatchSeconds, watch, watchRequest } from './watch.ts';
import { create, deleteObject, evict, patch } from './writes.ts';

/** How to connect to an API server. */
export interface ConnectOptions extends Observers {
  clock: Clock;
  /** Time box of one request; an eviction may take 10 s. */
  requestTimeoutSeconds?: number;
  watchTimeoutSeconds?: number;
  userAgent?: string;
  /** Carries the requests; over HTTP unless something else is given. */
  carry?: typeof createTransport;
}

export interface ConnectedKubernetes extends Kubernetes {
  /** Ends watches, lets requests under way finish; later ones throw Unavailable. */
  close(): Promise<void>;
}

/**
 * For the API server of the Machines. A busy server lets a request wait 15 s for its turn: a client that gives up sooner
 * asks twice.
 */
export const patientTimeoutSeconds = 20;

/** The API server of the kubeconfig's current context. Opens no connection before the first request. */
export const connect = (kubeConfig: KubeConfig, options: ConnectOptions): ConnectedKubernetes =>
  kubernetesOver(transportTo(kubeConfig, options), options);

export function transportTo(kubeConfig: KubeConfig, options: ConnectOptions): Transport {
  const { requestTimeoutSeconds = 10, carry = createTransport, userAgent = 'phaseout' } = options;
  return carry(credentialSource(kubeConfig, options.clock), {
    ...options,
    requestTimeoutMilliseconds: requestTimeoutSeconds * 1000,
    userAgent,
  });
}

export function kubernetesOver(transport: Transport, options: ConnectOptions): ConnectedKubernetes {
  const { clock, watchTimeoutSeconds = defaultWatchSeconds } = options;
  const discovery = createDiscovery(transport, clock);
  const seen = new NewestSeen(clock);
  const patching =
    (contentType: Parameters<typeof patch>[3]) =>
    async (resource: Resource, key: Key, body: object, subresource?: 'status'): Promise<WriteOutcome> =>
      seen.written(resource, await patch(transport, { resource, key, subresource }, body, contentType));

  return {
    get: async (resource, key) => seen.object(resource, await get(transport, resource, key)),
    list: (resource, selection = {}, hold) =>
      seen.list(resource, () => list(transport, resource, selection, hold)),
    mergePatch: patching('application/merge-patch+json'),
    jsonPatch: patching('application/json-patch+json'),
    create: (resource, object) => create(transport, resource, object),
    delete: (resource, key, uid) => deleteObject(transport, resource, key, { uid }),
    evict: (eviction) => evict(transport, eviction),
    watch: (resource, selection, resourceVersion, listener) => {
      const request = watchRequest(resource, selection, resourceVersion, watchTimeoutSeconds);
      return watch(transport, request, listener, { clock, timeoutSeconds: watchTimeoutSeconds });
    },
    discover: (group, kind, version, absence) => discovery.find(group, kind, version, absence),
    close: () => transport.close(),
  };
}
