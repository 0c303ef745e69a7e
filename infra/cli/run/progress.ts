import type { Phase } from '../../../shared/machine/phase.ts';
import type { Instant } from '../../../shared/time/clock.ts';
import type { Change } from './change.ts';

interface Wait {
  reason: string;
  message: string;
}

/** A phase the Machine was in. */
export interface Stay {
  phase: Phase;
  from: Instant;
  /** Undefined while it lasts. */
  to: Instant | undefined;
  /** How it was passed: `done`, `excluded`, `timed-out`, `not-applicable`. */
  as: string | undefined;
  changes: Change[];
}

/** How far one Machine's deletion has come. */
export interface Journey {
  machine: string;
  /** Those that the Machine's API has. */
  phases: readonly Phase[];
  startedAt: Instant;
  stays: Stay[];
  wait: Wait | undefined;
  evicted: number;
  refused: number;
  /** The Machine is gone from the API. */
  goneAt: Instant | undefined;
}

/** Longer than it takes to look again. */
const noticedWithin = 1_000;

/** The state of every deletion, from its facts. */
export class Progress {
  readonly #journeys = new Map<string, Journey>();

  get journeys(): readonly Journey[] {
    return [...this.#journeys.values()];
  }

  /** False if the fact is not new. `phases`: those of the Machine's API. */
  add(change: Change, phases: readonly Phase[]): boolean {
    const journey = this.#journeyOf(change, phases);
    if (isRepeat(journey, change)) return false;
    const last = journey.stays.at(-1);
    if (change.event === 'phase') {
      if (last !== undefined) Object.assign(last, { to: change.time, as: change.as });
      journey.stays.push(stayFrom(change));
      journey.wait = undefined;
      return true;
    }
    last?.changes.push(change);
    if (change.event === 'evicted') journey.evicted += 1;
    if (change.event === 'refused') journey.refused += 1;
    if (change.event === 'waits' || change.event === 'failed') {
      journey.wait = { reason: change.reason, message: change.message };
    }
    return true;
  }

  /** `seenAt`: when it was noticed. That is a little late, unless the finalizer went before and was the last one. */
  gone(machine: string, seenAt: Instant): void {
    const journey = this.#journeys.get(machine);
    if (journey === undefined) return;
    const last = journey.stays.at(-1);
    const released = last?.changes.find(({ event }) => event === 'released')?.time;
    const at =
      released !== undefined && seenAt - released < noticedWithin ? Math.min(released, seenAt) : seenAt;
    if (last?.to === undefined) Object.assign(last ?? {}, { to: at, as: 'done' });
    journey.goneAt = at;
    journey.wait = undefined;
  }

  #journeyOf(change: Change, phases: readonly Phase[]): Journey {
    const known = this.#journeys.get(change.machine);
    // A Machine of that name that comes after one that is gone is another Machine.
    if (known !== undefined && known.goneAt === undefined) return known;
    const journey: Journey = {
      machine: change.machine,
      phases,
      startedAt: change.time,
      stays: change.event === 'phase' ? [] : [stayFrom(change)],
      wait: undefined,
      evicted: 0,
      refused: 0,
      goneAt: undefined,
    };
    this.#journeys.set(change.machine, journey);
    return journey;
  }
}

const stayFrom = ({ phase, time }: Change): Stay => ({
  phase,
  from: time,
  to: undefined,
  as: undefined,
  changes: [],
});

/** The same fact may arrive twice, by two events. */
function isRepeat({ wait, stays }: Journey, change: Change): boolean {
  const stay = stays.at(-1);
  if (change.event === 'waits') return wait?.reason === change.reason && wait.message === change.message;
  if (change.event === 'phase') return stay?.phase === change.phase;
  if (change.event !== 'refused') return false;
  return (
    stay?.changes.some(
      (told) => told.event === 'refused' && told.pod === change.pod && told.message === change.message,
    ) === true
  );
}

export type Mark = 'passed' | 'here' | 'skipped' | 'ahead';

/** Where each phase stands. */
export function marks({ phases, stays, goneAt }: Journey): [Phase, Mark][] {
  const here = goneAt === undefined ? stays.at(-1)?.phase : undefined;
  const reached = here === undefined ? phases.length : phases.indexOf(here);
  return phases.map((phase, index) => {
    if (phase === here) return [phase, 'here'];
    if (index > reached) return [phase, 'ahead'];
    return [phase, stays.some((stay) => stay.phase === phase) ? 'passed' : 'skipped'];
  });
}
