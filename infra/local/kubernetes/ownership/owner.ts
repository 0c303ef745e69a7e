import type { Owner } from '../discovery/resource.ts';
import { failure } from '../objects/status.ts';
import { areEqual } from '../server/json.ts';

/** The writer of a request, before it is known which fields it owns. */
export type Writer = Omit<Owner, 'fields'>;

/** The fields of an object with what they hold. */
export type Fields = ReadonlyMap<string, unknown>;

export const isSameWriter = (one: Writer, other: Writer): boolean =>
  one.manager === other.manager &&
  one.operation === other.operation &&
  one.apiVersion === other.apiVersion &&
  one.subresource === other.subresource;

/** The fields that are new or hold something else. */
export function changedFields(before: Fields, after: Fields): Set<string> {
  const changed = [...after].filter(
    ([path, value]) => !before.has(path) || !areEqual(before.get(path), value),
  );
  return new Set(changed.map(([path]) => path));
}

/** The owners after a write that is no apply. The writer owns what it changes; removed fields have no owner. */
export function ownersAfterUpdate(
  owners: readonly Owner[],
  writer: Writer,
  before: Fields,
  after: Fields,
): readonly Owner[] {
  const changed = changedFields(before, after);
  const hasGone = (path: string) => before.has(path) && !after.has(path);
  const left = owners.map((owner) => {
    const isOwn = isSameWriter(owner, writer);
    return {
      ...owner,
      fields: only(owner.fields, (path) => !hasGone(path) && (isOwn || !changed.has(path))),
    };
  });
  const own = left.find((owner) => isSameWriter(owner, writer));
  const others = left.filter((owner) => owner !== own);
  return withoutIdle([...others, { ...writer, fields: new Set([...(own?.fields ?? []), ...changed]) }]);
}

/** Forgets managers without fields, except those that apply. */
export const withoutIdle = (owners: readonly Owner[]): Owner[] =>
  owners.filter(({ operation, fields }) => operation === 'Apply' || fields.size > 0);

export function only(fields: ReadonlySet<string>, keep: (path: string) => boolean): ReadonlySet<string> {
  return new Set([...fields].filter(keep));
}

/** Fields that an apply would change although they are others'. */
export interface Conflict {
  readonly owner: Owner;
  readonly path: string;
}

/** 409 with all conflicts, by owner, in the API server's words. */
export function conflictRefusal(conflicts: readonly Conflict[]): Error {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${nameOf(owner)}`,
    field: path,
  }));
  const count = causes.length === 1 ? '1 conflict' : `${causes.length} conflicts`;
  return failure(409, 'Conflict', `Apply failed with ${count}: ${told(conflicts)}`, { causes });
}

function told(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1) return `conflict with ${nameOf(first.owner)}: ${first.path}`;
  const owners = new Set(conflicts.map(({ owner }) => owner));
  const lines = [...owners].flatMap((owner) => [
    `conflicts with ${nameOf(owner)}:`,
    ...conflicts.filter((one) => one.owner === owner).map(({ path }) => `- ${path}`),
  ]);
  return lines.join('\n');
}

function nameOf({ manager, operation, apiVersion, subresource }: Owner): string {
  const below = subresource === '' ? '' : ` with subresource "${subresource}"`;
  return `"${manager}"${below}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
