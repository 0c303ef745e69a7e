/** Code units of surrogate pairs stand for characters beyond all others, in UTF-8 as well. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Compares as Go compares strings: by the bytes of their UTF-8 form, whatever the locale. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i += 1) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The texts in byte order, as Go sorts them. */
export const sortedByBytes = (texts: Iterable<string>): string[] => [...texts].toSorted(compareBytes);

/** For `JSON.stringify`: the fields of each object by name, as Go writes maps, so that one value has one text. */
export const sortedFields = (_field: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => compareBytes(one, other)))
    : value;
