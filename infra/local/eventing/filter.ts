import { parseCesql } from '../../serverless/cesql/parse.ts';
import type { Filter, Selection } from '../../serverless/model.ts';
import { holds } from './cesql.ts';
import { attributeOf, type CloudEvent } from './event.ts';

type Attributes = CloudEvent['attributes'];
export type Matcher = (attributes: Attributes) => boolean;

/** Readies a Trigger's filter. It sees attributes and extensions only, never data. Throws CesqlSyntaxError. */
export function matcherOf({ filter, filters = [] }: Selection): Matcher {
  if (filters.length > 0) return allOf(filters);
  const wanted = Object.entries(filter?.attributes ?? {});
  return (attributes) => wanted.every(([name, value]) => agreesWith(value, attributeOf(attributes, name)));
}

/** Empty asks for presence and not for emptiness. */
const agreesWith = (wanted: string, actual: string | undefined): boolean =>
  wanted === '' ? Boolean(actual) : actual === wanted;

function matcher(filter: Filter): Matcher {
  if ('exact' in filter) return each(filter.exact, (actual, wanted) => actual === wanted);
  if ('prefix' in filter) return each(filter.prefix, (actual, wanted) => actual.startsWith(wanted));
  if ('suffix' in filter) return each(filter.suffix, (actual, wanted) => actual.endsWith(wanted));
  if ('all' in filter) return allOf(filter.all);
  if ('any' in filter) {
    const matchers = filter.any.map(matcher);
    return (attributes) => matchers.some((matches) => matches(attributes));
  }
  if ('not' in filter) {
    const matches = matcher(filter.not);
    return (attributes) => !matches(attributes);
  }
  const expression = parseCesql(filter.cesql);
  return (attributes) => holds(expression, attributes);
}

function allOf(filters: Filter[]): Matcher {
  const matchers = filters.map(matcher);
  return (attributes) => matchers.every((matches) => matches(attributes));
}

function each(wanted: Record<string, string>, agrees: (actual: string, wanted: string) => boolean): Matcher {
  const entries = Object.entries(wanted);
  return (attributes) =>
    entries.every(([name, value]) => {
      const actual = attributeOf(attributes, name);
      return actual !== undefined && agrees(actual, value);
    });
}
