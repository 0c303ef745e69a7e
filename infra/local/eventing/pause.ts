import type { Clock } from '../../../shared/time/clock.ts';

/** Waits so long, or until the signal aborts the wait. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      takeBack();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const takeBack = clock.after(milliseconds, wake);
    signal?.addEventListener('abort', wake);
  });
}
