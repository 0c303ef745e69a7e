import { apiVersionOf, type Owner, type Target, type WriteOptions } from '../discovery/resource.ts';
import type { KubeObject } from '../objects/cluster.ts';
import type { Store } from '../objects/store.ts';
import { areSameOwners, trackedFields } from './apply-fields.ts';
import { ownersAfterUpdate, type Writer } from './owner.ts';
import { typingOf } from './typing.ts';

/**
 * Which manager owns which fields. It is kept beside the objects, and only for those that a client has applied, or
 * written under a name. All fields of any other object have one manager, as those of objects older than apply.
 */
export class Ownership {
  readonly #owners = new Map<string, readonly Owner[]>();

  constructor(store: Store) {
    store.onChange(({ type, object }) => {
      if (type === 'DELETED') this.#owners.delete(object.metadata.uid ?? '');
    });
  }

  of({ metadata }: KubeObject): readonly Owner[] | undefined {
    return this.#owners.get(metadata.uid ?? '');
  }

  /** Whether an apply that leaves the object as it is changes whose it is. */
  isChangedBy({ owners }: WriteOptions, object: KubeObject): boolean {
    return owners !== undefined && !areSameOwners(owners, this.of(object) ?? []);
  }

  /** Keeps whose fields are whose after a write; `previous` is undefined when the object is new. */
  keep(target: Target, written: KubeObject, previous: KubeObject | undefined, options: WriteOptions): void {
    const owners = options.owners ?? this.#afterUpdate(target, written, previous, options);
    if (owners) this.#owners.set(written.metadata.uid ?? '', owners);
  }

  #afterUpdate(
    target: Target,
    written: KubeObject,
    previous: KubeObject | undefined,
    options: WriteOptions,
  ): readonly Owner[] | undefined {
    const known = previous && this.of(previous);
    if (!known && options.manager === undefined) return undefined;
    const typing = typingOf(target.resource, target.resource.storageVersion);
    const before = trackedFields(typing, previous ?? {});
    const owners = known ?? (previous ? ownersBeforeApply(target, previous) : []);
    return ownersAfterUpdate(
      owners,
      writerOf(target, 'Update', options),
      before,
      trackedFields(typing, written),
    );
  }
}

export function writerOf(
  { resource, version, subresource }: Target,
  operation: Writer['operation'],
  { manager, agent }: WriteOptions,
): Writer {
  return {
    manager: manager ?? agent ?? 'unknown',
    operation,
    apiVersion: apiVersionOf(resource.group, version),
    subresource,
  };
}

/** The owners of an object without recorded owners. */
export function ownersBeforeApply({ resource }: Target, object: KubeObject): Owner[] {
  const fields = new Set(trackedFields(typingOf(resource, resource.storageVersion), object).keys());
  const apiVersion = apiVersionOf(resource.group, resource.storageVersion);
  return [{ manager: 'before-first-apply', operation: 'Update', apiVersion, subresource: '', fields }];
}
