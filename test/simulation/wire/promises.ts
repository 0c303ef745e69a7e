/** Nothing comes of it. Each is a promise of its own: a common one would keep whoever has ever waited for it. */
export const never = (): Promise<never> => new Promise(() => undefined);

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

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
