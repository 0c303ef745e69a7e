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
