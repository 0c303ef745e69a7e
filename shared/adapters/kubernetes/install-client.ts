import * as z from 'zod';
import type { DeleteOutcome, Key, Resource } from '../../kubernetes/client.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { type ConnectedKubernetes, type ConnectOptions, kubernetesOver, transportTo } from './connect.ts';
import type { KubeConfig } from './kube-config.ts';
import {
  askAndRead,
  asksToTryLater,
  couldNotLook,
  isSuccess,
  objectNamed,
  type ReadAnswer,
  refusalOf,
} from './read-response.ts';
import { type ApiRequest, addressOf, queryOf, type Transport } from './request.ts';
import { deleteObject } from './writes.ts';

/** An API server client for installing: it does what no function may do. */
export interface KubernetesForTools extends ConnectedKubernetes {
  /** Server-side apply. Throws Unavailable. */
  apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<ApplyOutcome>;
  /** Deletes the object with this UID, and afterwards what it owns: a Job would leave its Pods behind. */
  deleteWithDependents(resource: Resource, key: Key, uid: string): Promise<DeleteOutcome>;
}

/** The API server of the kubeconfig's current context. Opens no connection before the first request. */
export function connectTools(kubeConfig: KubeConfig, options: ConnectOptions): KubernetesForTools {
  const transport = transportTo(kubeConfig, options);
  return {
    ...kubernetesOver(transport, options),
    apply: (resource, object, how) => applyObject(transport, resource, object, how),
    deleteWithDependents: (resource, key, uid) =>
      deleteObject(transport, resource, key, { uid, propagationPolicy: 'Background' }),
  };
}

/** A field that somebody else has set to another value. */
export interface FieldConflict {
  owner: string;
  field: string;
}

/** What a server-side apply came to. */
export type ApplyOutcome =
  /** As it is stored now, or would be if it had been no dry run. */
  | { kind: 'applied'; object: KubeObject }
  | { kind: 'conflict'; conflicts: FieldConflict[] }
  | { kind: 'refused'; code: number; message: string };

export interface ApplyOptions {
  /** The name that the fields belong to from then on. */
  fieldManager: string;
  /** Takes fields that belong to others. */
  force?: boolean;
  /** All is done but storing. */
  dryRun?: boolean;
}

/** Webhooks are asked on the way, and each may take 10 s. */
const timeoutMilliseconds = 30_000;

/** Server-side apply: what the manager set before and leaves out now goes. May be asked again after any failure. */
async function applyObject(
  transport: Transport,
  resource: Resource,
  object: KubeObject,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const request = applyRequest(resource, object, options);
  const answer = await askAndRead(transport, request);
  if (isSuccess(answer)) {
    const applied = objectNamed(answer.body, object.metadata.name);
    if (applied !== undefined) return { kind: 'applied', object: applied };
  }
  const conflicts = conflictsIn(answer);
  if (conflicts.length > 0) return { kind: 'conflict', conflicts };
  // Any other conflict is a write in between.
  if (isSuccess(answer) || asksToTryLater(answer) || answer.code === 409) {
    throw couldNotLook(transport, request, answer);
  }
  return refusalOf(answer);
}

function applyRequest(resource: Resource, object: KubeObject, options: ApplyOptions): ApiRequest {
  const { name, namespace } = object.metadata;
  const { fieldManager, force = false, dryRun = false } = options;
  return {
    method: 'PATCH',
    verb: 'patch',
    address: addressOf(resource, { name, ...(namespace !== undefined && { namespace }) }),
    query: queryOf({}, { fieldManager, force: String(force), ...(dryRun && { dryRun: 'All' }) }),
    body: object,
    contentType: 'application/apply-patch+yaml',
    timeoutMilliseconds,
  };
}

const causesSchema = z.array(
  z.looseObject({ reason: z.string(), message: z.string().default(''), field: z.string().default('') }),
);

/** A cause reads `conflict with "kubectl-edit" using v1`. */
function conflictsIn({ code, status }: ReadAnswer): FieldConflict[] {
  const causes = causesSchema.safeParse(status?.details?.['causes']);
  if (code !== 409 || !causes.success) return [];
  return causes.data
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ message, field }) => ({ field, owner: /"([^"]*)"/.exec(message)?.[1] ?? message }));
}
