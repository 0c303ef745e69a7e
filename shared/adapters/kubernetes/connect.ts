import type { LimitState } from '../../async/adaptive-limit.ts';
import type { Kubernetes } from '../../kubernetes/client.ts';
import type { Clock, Instant } from '../../time/clock.ts';
import { credentialSource } from './credentials.ts';
import { createDiscovery } from './discovery.ts';
import type { KubeConfig } from './kube-config.ts';
import { get, list, NewestSeen } from './reads.ts';
import type { ApiRequest, Contact, RequestReport, Transport } from './request.ts';
import { createTransport } from './transport.ts';
import { defaultWatchSeconds, watch, watchRequest } from './watch.ts';
import { create, deleteObject, evict, jsonPatch, mergePatch } from './writes.ts';

/** How to connect to an API server. */
export interface ConnectOptions {
  clock: Clock;
  /** Time box of one request; an eviction may take 10 s. */
  requestTimeoutSeconds?: number;
  watchTimeoutSeconds?: number;
  userAgent?: string;
  /** Carries the requests; over HTTP unless something else is given. */
  carry?: typeof createTransport;
  /** Every request that was answered or given up, for counting; code 0 means no answer. */
  onRequest?: (report: RequestReport) => void;
  /** Whether the API server can be reached and knows us, as each request shows it. */
  onContact?: (contact: Contact, request: ApiRequest, why: string) => void;
  /** What time it was for the API server, as each answer but those of watches says. */
  onDate?: (date: Instant) => void;
  /** How many requests are under way and wait, as each begins and ends. */
  onLoad?: (standing: LimitState) => void;
}

export interface ConnectedKubernetes extends Kubernetes {
  /** Ends watches, lets requests under way finish; later ones throw Unavailable. */
  close(): Promise<void>;
}

/**
 * For the API server of the Machines. One that has much to do lets a request wait 15 s for its turn: who gives up before asks
 * for it twice.
 */
export const patientTimeoutSeconds = 20;

/** The API server of the kubeconfig's current context. Opens no connection before the first request. */
export const connect = (kubeConfig: KubeConfig, options: ConnectOptions): ConnectedKubernetes =>
  kubernetesOver(transportTo(kubeConfig, options), options);

export function transportTo(kubeConfig: KubeConfig, options: ConnectOptions): Transport {
  const { clock, requestTimeoutSeconds = 10, carry = createTransport } = options;
  return carry(credentialSource(kubeConfig, clock), {
    clock,
    requestTimeoutMilliseconds: requestTimeoutSeconds * 1000,
    userAgent: options.userAgent ?? 'phaseout',
    ...(options.onRequest && { onRequest: options.onRequest }),
    ...(options.onContact && { onContact: options.onContact }),
    ...(options.onDate && { onDate: options.onDate }),
    ...(options.onLoad && { onLoad: options.onLoad }),
  });
}

export function kubernetesOver(transport: Transport, options: ConnectOptions): ConnectedKubernetes {
  const { clock, watchTimeoutSeconds = defaultWatchSeconds } = options;
  const discovery = createDiscovery(transport, clock);
  const seen = new NewestSeen(clock);

  return {
    get: async (resource, key) => seen.object(resource, await get(transport, resource, key)),
    list: (resource, selection = {}, hold) =>
      seen.list(resource, () => list(transport, resource, selection, hold)),
    mergePatch: async (resource, key, patch, subresource) => {
      const target = { resource, key, ...(subresource && { subresource }) };
      return seen.written(resource, await mergePatch(transport, target, patch));
    },
    jsonPatch: async (resource, key, operations, subresource) => {
      const target = { resource, key, ...(subresource && { subresource }) };
      return seen.written(resource, await jsonPatch(transport, target, operations));
    },
    create: (resource, object) => create(transport, resource, object),
    delete: (resource, key, uid) => deleteObject(transport, resource, key, { uid }),
    evict: (eviction) => evict(transport, eviction),
    watch: (resource, selection, resourceVersion, listener) => {
      const request = watchRequest(resource, selection, resourceVersion, watchTimeoutSeconds);
      return watch(transport, request, listener, { clock, timeoutSeconds: watchTimeoutSeconds });
    },
    discover: (group, kind, version) => discovery.find(group, kind, version),
    close: () => transport.close(),
  };
}
