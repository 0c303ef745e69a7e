import type { Clock } from '../../../shared/time/clock.ts';

/** As the SDK ends a call that is given up: it is not sent again. */
const abortError = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

/** Rejects as soon as the call is given up, and leaves no timer behind. */
export async function pauseUnlessAborted(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  if (milliseconds === 0) return;
  const over = Promise.withResolvers<void>();
  const takeBack = clock.after(milliseconds, over.resolve);
  const onAbort = (): void => {
    takeBack();
    over.reject(abortError());
  };
  signal.addEventListener('abort', onAbort, { once: true });
  await over.promise.finally(() => signal.removeEventListener('abort', onAbort));
}
