/** The answer that was given before, or that of a first read. */
export function memoize<T>(seen: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = seen.get(key);
  if (known !== undefined) return known;
  const reading = read();
  seen.set(key, reading);
  return reading;
}
