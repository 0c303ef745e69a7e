import { compareBytes } from '../../../../shared/text/byte-order.ts';
import type { Owner } from '../discovery/resource.ts';
import { areEqual } from '../server/json.ts';
import { mergedFields, ownableFields, withoutFields } from './fields.ts';
import {
  type Conflict,
  changedFields,
  conflictRefusal,
  type Fields,
  isSameWriter,
  only,
  type Writer,
  withoutIdle,
} from './owner.ts';
import type { Typing } from './typing.ts';

export interface Applying {
  readonly typing: Typing;
  readonly present: unknown;
  readonly wanted: unknown;
  readonly owners: readonly Owner[];
  readonly writer: Writer;
  /** Takes from others what they own. */
  readonly force: boolean;
}

export interface Applied {
  readonly object: unknown;
  readonly owners: readonly Owner[];
}

/**
 * What is wanted merged into what is there. What the writer wanted before and wants no more goes, unless it is
 * somebody else's too. Throws ApiError 409 for fields that others own and hold otherwise. Rules:
 * structured-merge-diff. That may leave a list or map that it has emptied, or refuse it as null. Here it goes.
 */
export function applyFields({ typing, present, wanted, owners, writer, force }: Applying): Applied {
  const merged = mergedFields(typing, present, wanted);
  const wantedFields = trackedFields(typing, wanted);
  const others = owners.filter((owner) => !isSameWriter(owner, writer));
  const changed = changedFields(trackedFields(typing, present), trackedFields(typing, merged));
  const conflicts = others.toSorted(byManager).flatMap((owner) => conflictsWith(owner, changed));
  if (conflicts.length > 0 && !force) throw conflictRefusal(conflicts);
  const left = others.map((owner) => ({
    ...owner,
    fields: only(owner.fields, (path) => !changed.has(path)),
  }));
  const before = owners.find((owner) => isSameWriter(owner, writer));
  const isOwned = (path: string) => wantedFields.has(path) || left.some(({ fields }) => fields.has(path));
  const isGone = (path: string) => before?.fields.has(path) === true && !isOwned(path);
  return {
    object: withoutFields(typing, merged, isGone),
    owners: withoutIdle([...left, { ...writer, fields: new Set(wantedFields.keys()) }]),
  };
}

const byManager = (one: Owner, other: Owner): number => compareBytes(one.manager, other.manager);

const conflictsWith = (owner: Owner, changed: ReadonlySet<string>): Conflict[] =>
  [...owner.fields]
    .filter((path) => changed.has(path))
    .toSorted()
    .map((path) => ({ owner, path }));

export const areSameOwners = (some: readonly Owner[], others: readonly Owner[]): boolean =>
  areEqual(some.map(told).toSorted(), others.map(told).toSorted());

const told = ({ fields, ...writer }: Owner): string =>
  JSON.stringify({ ...writer, fields: [...fields].toSorted() });

const unowned =
  /^\.(?:apiVersion|kind|metadata\.(?:name|namespace|uid|generation|resourceVersion|selfLink|managedFields|creationTimestamp|deletionTimestamp|deletionGracePeriodSeconds))(?![^.[])/;

/** The fields that a manager can own. Fields that identify an object or that the API server keeps have no owner. */
export function trackedFields(typing: Typing, object: unknown): Fields {
  return new Map([...ownableFields(typing, object)].filter(([path]) => !unowned.test(path)));
}
