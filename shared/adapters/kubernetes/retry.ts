import type { Clock } from '../../time/clock.ts';
import type { Answer } from './request.ts';

/** Before the second and the third time. */
const pausesMilliseconds = [100, 300];
/** Who is told to stay away for longer than this does so until the next look. */
const longestPauseMilliseconds = 1_000;

/** Each request earns so much of a second try: where all are refused, a tenth more is asked and not three times as much. */
const earned = 0.1;
/** So many may be saved up. */
const maxSaved = 10;

export class RetryBudget {
  #saved = maxSaved;

  earn(): void {
    this.#saved = Math.min(maxSaved, this.#saved + earned);
  }

  /** Whether one more try may be made. */
  spend(): boolean {
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

interface Patience {
  clock: Clock;
  retries: RetryBudget;
  /** Aborted when the time is over; rejects then. */
  signal: AbortSignal;
}

/** Asks again shortly when the server only refuses for the moment: a look takes many reads, and is lost with any. */
export async function withRetries(
  ask: () => Promise<Answer>,
  { clock, signal, retries }: Patience,
): Promise<Answer> {
  retries.earn();
  for (const least of pausesMilliseconds) {
    const answer = await ask();
    const wanted = 1_000 * Number(answer.retryAfter ?? 0);
    // A Retry-After may also be a date, which is never that near.
    const isSoon = wanted <= longestPauseMilliseconds;
    if (!isPassing(answer.code) || !isSoon || !retries.spend()) return answer;
    await pause(clock, Math.max(least, wanted), signal);
  }
  return ask();
}

const isPassing = (code: number): boolean => [429, 500, 502, 503, 504].includes(code);

function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      cancel();
      reject(new Error('the time is over'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
