const ending = '...';

/** At most `length` UTF-16 units, with `...` where something is missing. Never splits a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = Math.max(0, length - ending.length);
  const last = text.charCodeAt(kept - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splitsPair ? kept - 1 : kept)}${ending}`.slice(0, length);
}

/**
 * The length that texts must not exceed so that all of them together take at most `room`. Short texts leave what
 * they do not need to the long ones.
 */
export function commonLength(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return Math.max(0, share);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
