import { growingPause } from '../../async/growing-pause.ts';
import type { Clock } from '../../time/clock.ts';

type State =
  | { kind: 'up' }
  | { kind: 'paused'; why: string }
  /** Somebody tries whether it is up again. */
  | { kind: 'probing'; isOver: () => boolean; why: string };

/** Remembers that a cluster is down, so that it is asked rarely and those who need it learn so at once. */
export interface Outage {
  /** Why the cluster must not be asked now; undefined when it may be, by one who tries. */
  reason(): string | undefined;
  /** What was wrong when it went down, until an answer comes; undefined when it is up. */
  why(): string | undefined;
  failed(why: string): void;
  ended(): void;
}

/** `probeMilliseconds`: how long, after a pause, one may try out alone. */
export function createOutage(clock: Clock, probeMilliseconds: number): Outage {
  let state: State = { kind: 'up' };
  const pause = growingPause(clock);
  const lasting = (milliseconds: number): (() => boolean) => {
    const age = clock.stopwatch();
    return () => age() >= milliseconds;
  };

  return {
    reason() {
      if (state.kind === 'up') return undefined;
      if (!(state.kind === 'paused' ? pause.isOver() : state.isOver())) return state.why;
      state = { kind: 'probing', isOver: lasting(probeMilliseconds), why: state.why };
      return undefined;
    },
    why: () => (state.kind === 'up' ? undefined : state.why),
    failed(why) {
      // Requests that were under way together fail together: that is one failure.
      if (state.kind === 'paused' && !pause.isOver()) return;
      // One outage has one text, however else it shows later: each other one would be news on every Machine.
      const first = state.kind === 'up' ? why : state.why;
      state = { kind: 'paused', why: first };
      pause.start();
    },
    ended() {
      state = { kind: 'up' };
      pause.reset();
    },
  };
}
