/** Always the same one of so many for a key, in every version: what was written to one is looked for there. */
export function shardOf(key: string, count: number): number {
  let hash = 0;
  for (const byte of new TextEncoder().encode(key)) hash = (Math.imul(hash, 31) + byte) >>> 0;
  return hash % count;
}
