import type { Clock, Instant } from '../../clock.ts';

const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 30_000;

type State =
  | { kind: 'up' }
  | { kind: 'paused'; until: Instant; why: string }
  /** Somebody tries whether it is up again. */
  | { kind: 'probing'; until: Instant; why: string };

/** No pause is longer than the longest, even when the clock was set back in its midst. */
const isToCome = (until: Instant, now: Instant): boolean =>
  now < until && until - now <= longestPauseMilliseconds;

/** Remembers that a cluster is down, so that it is asked rarely and those who need it learn so at once. */
export interface Outage {
  /** Why the cluster must not be asked now; undefined when it may be. */
  reason(): string | undefined;
  failed(why: string): void;
  ended(): void;
}

/** `probeMilliseconds`: how long, after a pause, one may try out alone. */
export function createOutage(clock: Clock, probeMilliseconds: number): Outage {
  let state: State = { kind: 'up' };
  let pauseMilliseconds = firstPauseMilliseconds;

  return {
    reason() {
      if (state.kind === 'up') return undefined;
      const now = clock.now();
      if (isToCome(state.until, now)) return state.why;
      state = { kind: 'probing', until: now + probeMilliseconds, why: state.why };
      return undefined;
    },
    failed(why) {
      const now = clock.now();
      // Requests that were under way together fail together: that is one failure.
      if (state.kind === 'paused' && isToCome(state.until, now)) return;
      state = { kind: 'paused', until: now + pauseMilliseconds, why };
      pauseMilliseconds = Math.min(2 * pauseMilliseconds, longestPauseMilliseconds);
    },
    ended() {
      state = { kind: 'up' };
      pauseMilliseconds = firstPauseMilliseconds;
    },
  };
}
