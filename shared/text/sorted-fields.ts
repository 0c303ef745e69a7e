import { compareBytes } from './byte-order.ts';

/** For `JSON.stringify`: the fields of each object by name, as Go writes maps, so that one value has one text. */
export const sortedFields = (_field: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => compareBytes(one, other)))
    : value;
