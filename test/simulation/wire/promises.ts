/** Nothing comes of it. Each is a promise of its own: a common one would keep all that has ever waited for it. */
export const never = (): Promise<never> => new Promise(() => undefined);

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Aborted as soon as one of them is. Node's own would be kept for as long as the process if neither ever is. */
export function eitherOf(...signals: AbortSignal[]): AbortSignal {
  const either = new AbortController();
  for (const signal of signals)
    signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  return either.signal;
}

/** Rejects as soon as the signal is aborted, unless the one who waits is dead by then. */
export function unlessAborted<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  isDead: () => boolean,
): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    const giveUp = (): void => (isDead() ? undefined : reject(signal.reason));
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
