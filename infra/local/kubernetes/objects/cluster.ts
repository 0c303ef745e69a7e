import type { ChangeType, Selection } from '../../../../shared/kubernetes/client.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';

export type { KubeObject, ObjectMeta, OwnerReference } from '../../../../shared/kubernetes/objects.ts';

export interface ChangeEvent {
  type: ChangeType;
  object: KubeObject;
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
}

/** The API server's refusal, with the code and reason a client would have seen. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly body: KubeStatus;

  constructor(body: KubeStatus) {
    super(body.message);
    this.code = body.code ?? 500;
    this.reason = body.reason ?? '';
    this.body = body;
  }
}

export interface KubeStatus {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: Record<string, unknown>;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: Record<string, unknown>;
  code?: number;
}

/**
 * The API server as the local controllers see it. Verbs, validation and change notifications are those over HTTP, but
 * synchronous and without a socket. `resource` is `plural` for core kinds and `plural.group` for others (`pods`,
 * `replicasets.apps`, `machines.cluster.x-k8s.io`); objects come in the storage version. Objects handed out are
 * frozen or copies: changing one changes nothing.
 */
export interface Cluster {
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: string, selection?: Selection): KubeObject[];
  /** Throws ApiError. */
  create(resource: string, object: KubeObject): KubeObject;
  /** JSON merge patch of the main resource or a subresource such as `status`. Throws ApiError. */
  patch(resource: string, object: KubeObject, patch: unknown, subresource?: string): KubeObject;
  /** Throws ApiError, 404 included. */
  remove(resource: string, object: KubeObject, options?: DeleteOptions): void;
  /** POST pods/NAME/eviction. Throws ApiError, 429 where a disruption budget refuses. */
  evict(pod: KubeObject, options?: DeleteOptions): void;
  /** Tells of every change from now on, in order, after the write has been answered. Returns the way to stop. */
  watch(resource: string, listener: (event: ChangeEvent) => void): () => void;
  /** Resources that exist now (built-in kinds and custom ones). */
  resources(): string[];
  /** The versions that a resource is served at, the preferred one first. */
  versions(resource: string): string[];
}
