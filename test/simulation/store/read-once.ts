/**
 * The same few expressions come again and again. What is read of one depends on its text alone, so that all worlds may
 * share it.
 */
export function readOnce<T>(read: (expression: string) => T): (expression: string) => T {
  const known = new Map<string, T>();
  return (expression) => {
    const found = known.get(expression) ?? read(expression);
    known.set(expression, found);
    return found;
  };
}
