const longest = 10;

/** Names in one line; of very many the first ones, and how many more there are. */
export function listed(names: readonly string[]): string {
  const sorted = names.toSorted();
  const left = sorted.length - longest;
  return left <= 0 ? sorted.join(', ') : `${sorted.slice(0, longest).join(', ')} and ${left} more`;
}
