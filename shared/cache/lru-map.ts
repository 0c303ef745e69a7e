const maxEntries = 5_000;

/** Keeps a map in order of use, oldest first, so that what has not been used for longest is dropped. */
export function remember<T>(entries: Map<string, T>, key: string, value: T, most = maxEntries): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= most) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
