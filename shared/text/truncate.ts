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

const encoder = new TextEncoder();

/** At most so many bytes of UTF-8, with `...` where something is missing. Never splits a character. */
export function cutToBytes(text: string, bytes: number): string {
  if (encoder.encode(text).length <= bytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(bytes - ending.length));
  return `${text.slice(0, read)}${ending}`;
}

/** The first `limit` entries and how many more there are: `a, b, c, ... (2 more)`. */
export function listOf(entries: readonly string[], limit: number): string {
  const shown = entries.slice(0, limit).join(', ');
  return entries.length > limit ? `${shown}, ... (${entries.length - limit} more)` : shown;
}

/** Several errors as one text, the way Kubernetes' libraries join them: repeats once, brackets from two on. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
