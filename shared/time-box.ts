import type { Clock } from './clock.ts';

/** A signal that is aborted after so many milliseconds by the clock, unless that is cancelled before. */
export function timeBox(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  const cancel = clock.after(milliseconds, () => controller.abort());
  return { signal: controller.signal, cancel };
}
