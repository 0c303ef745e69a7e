import type { Filter, Selection, Subscriber } from './model.ts';

/**
 * Where a Trigger's dead letters go, with the attributes that it asks for as the query. Knative does not filter dead
 * letters, and those of a filter that restarts name no Trigger. Only the address tells them apart.
 */
export function deadLetterPath({ path }: Subscriber, { filter, filters = [] }: Selection): string {
  const asked = filters.length > 0 ? filters.flatMap(askedBy) : Object.entries(filter?.attributes ?? {});
  const query = new URLSearchParams(asked).toString();
  return query === '' ? path : `${path}?${query}`;
}

type Asked = [attribute: string, value: string][];

/** What every event must have that passes. Nothing where that cannot be said in attributes and values. */
function askedBy(filter: Filter): Asked {
  if ('exact' in filter) return Object.entries(filter.exact);
  if ('all' in filter) return filter.all.flatMap(askedBy);
  return 'any' in filter ? askedByOneOf(filter.any) : [];
}

/** Several values of one attribute. */
function askedByOneOf(filters: Filter[]): Asked {
  const asked = filters.map((one) => ('exact' in one ? Object.entries(one.exact) : []));
  const names = new Set(asked.flat().map(([name]) => name));
  return names.size === 1 && asked.every(({ length }) => length === 1) ? asked.flat() : [];
}
