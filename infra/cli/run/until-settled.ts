import type { Clock } from '../../../shared/time/clock.ts';
import { messageLines } from '../../terminal/words.ts';
import type { Target } from '../fleet.ts';
import type { Following } from './follow.ts';

export interface Patience {
  clock: Clock;
  interrupted: AbortSignal;
  /** Undefined means for ever. */
  timeoutSeconds: number | undefined;
}

export type Settlement = { kind: 'gone' } | { kind: 'interrupted' } | { kind: 'late'; message: string };

/** Waits until all the Machines are gone, or until the patience is over. */
export async function untilSettled(
  targets: readonly Target[],
  following: Following,
  { clock, interrupted, timeoutSeconds }: Patience,
): Promise<Settlement> {
  const late = Promise.withResolvers<Settlement>();
  const stop =
    timeoutSeconds === undefined
      ? undefined
      : clock.after(timeoutSeconds * 1_000, () => {
          late.resolve({ kind: 'late', message: whatIsLeft(targets, following, timeoutSeconds) });
        });
  const all = Promise.all(targets.map((target) => following.follow(target)));
  const gone = all.then((answers): Settlement => ({ kind: answers.every(Boolean) ? 'gone' : 'interrupted' }));
  try {
    return interrupted.aborted ? { kind: 'interrupted' } : await Promise.race([gone, late.promise]);
  } finally {
    stop?.();
  }
}

function whatIsLeft(targets: readonly Target[], following: Following, seconds: number): string {
  const left = targets.flatMap((target) => {
    const machine = following.labelOf(target);
    const journey = following.journeyOf(target);
    if (journey?.goneAt !== undefined) return [];
    const { phase } = journey?.stays.at(-1) ?? {};
    if (journey === undefined || phase === undefined) return [`  ${machine}: nothing has happened to it`];
    const why = journey.wait === undefined ? 'at work' : messageLines(journey.wait.message).join('; ');
    return [`  ${machine}: ${phase}: ${why}`];
  });
  return [`not gone after ${seconds} s:`, ...left].join('\n');
}
