import { admit } from '../admission/admit.ts';
import type { Resource, Target, WriteOptions } from '../discovery/resource.ts';
import { type Api, mustExist, timestamp } from '../objects/api.ts';
import type { KubeObject } from '../objects/cluster.ts';
import { withMetadata } from '../objects/kube-object.ts';
import { conflict, failure } from '../objects/status.ts';
import { mark, type RemoveOptions } from './marking.ts';

export interface Removal {
  /** The object as the answer shows it. */
  readonly object: KubeObject;
  /** Whether it is gone, rather than on its way. */
  readonly isGone: boolean;
}

/**
 * Removes an object, or marks it when finalizers or a grace period hold it. Throws ApiError. Policies are asked when
 * `asked` is given. Of an eviction's deletion they are not asked.
 */
export function remove(
  api: Api,
  target: Target,
  options: RemoveOptions,
  asked?: Pick<WriteOptions, 'user' | 'warn'>,
): Removal {
  const { resource } = target;
  const object = mustExist(api, target);
  refuseUnmet(resource, object, options);
  if (resource.kind === 'Namespace') refuseProtected(target.name);
  const marked =
    resource.kind === 'Namespace' ? terminatingNamespace(api, object) : mark(api, resource, object, options);
  if (marked === undefined) return { object, isGone: false };
  if (asked) admit(api, target, { previous: object }, { ...asked, dryRun: options.dryRun === true });
  return finish(api, resource, { found: object, marked }, options.dryRun === true);
}

const protectedNamespaces = ['default', 'kube-public', 'kube-system'];

function refuseProtected(name: string): void {
  if (!protectedNamespaces.includes(name)) return;
  const message = `namespaces "${name}" is forbidden: this namespace may not be deleted`;
  throw failure(403, 'Forbidden', message, { name, kind: 'namespaces' });
}

interface Marking {
  readonly found: KubeObject;
  readonly marked: KubeObject;
}

function finish(api: Api, resource: Resource, { found, marked }: Marking, dryRun: boolean): Removal {
  const isHeld =
    (marked.metadata.finalizers ?? []).length > 0 ||
    (marked.metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
    resource.kind === 'Namespace';
  if (dryRun) return { object: marked, isGone: !isHeld };
  const written = marked === found ? found : api.store.put(resource.storage, marked);
  if (isHeld) return { object: written, isGone: false };
  return { object: api.store.drop(resource.storage, written), isGone: true };
}

/** Throws ApiError 409 where it is not the object that is meant, or not as it was. */
export function refuseUnmet(resource: Resource, found: KubeObject, { preconditions }: RemoveOptions): void {
  const about = { group: resource.group, plural: resource.kind, kind: resource.kind };
  const { uid, resourceVersion, name } = found.metadata;
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(about, name, why);
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(about, name, why);
  }
}

/** A namespace stays, Terminating, until its own finalizers are gone. */
function terminatingNamespace(api: Api, found: KubeObject): KubeObject | undefined {
  if (found.metadata.deletionTimestamp) return undefined;
  const deletionTimestamp = timestamp(api.clock.now());
  return { ...withMetadata(found, { deletionTimestamp }), status: { phase: 'Terminating' } };
}
