import type { AssessedPhase, Assessment } from '../assess/assessment.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import { recordOf } from '../machine/phase.ts';
import type { Subject } from '../phase/definition.ts';
import { limitStart } from '../phase/time-limit.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import type { PlannedLimit } from './deletion-plan.ts';

/** When each step that is to come is given up, counted from where the deletion stands. */
export const planLimits = (assessment: Assessment): PlannedLimit[] =>
  assessment.phases.flatMap((here) => (isToCome(here) ? planLimit(here, assessment.now) : []));

type ToCome = AssessedPhase & { subject: Subject };

/** A step that is passed over for another reason than its time is not given up. */
const isToCome = (here: AssessedPhase): here is ToCome =>
  here.kind === 'unread' ||
  (here.kind === 'foreseen' &&
    !(here.decision.kind === 'advance' && ['excluded', 'not-applicable'].includes(here.decision.passing)));

function planLimit({ phase, subject: coming }: ToCome, now: Instant): PlannedLimit[] {
  const { limit: ends } = recordOf(phase);
  const seconds = limitSecondsOf(phase, coming.machine);
  // Of the Node alone a negative limit is one: it is over at once.
  if (ends === undefined || seconds === 0 || (seconds < 0 && phase !== 'node')) return [];
  const limit = { phase, seconds: Math.max(0, seconds), afterwards: ends.afterwards };
  return [{ ...limit, ...standing(limit.seconds, coming, now) }];
}

function standing(
  seconds: number,
  coming: Subject,
  now: Instant,
): Pick<PlannedLimit, 'since' | 'givenUpAt' | 'leftSeconds'> {
  const startedAt = limitStart(coming);
  if (startedAt === undefined || startedAt >= now) return { leftSeconds: seconds };
  const end = startedAt + seconds * 1_000;
  return {
    since: rfc3339Seconds(startedAt),
    givenUpAt: rfc3339Seconds(end),
    leftSeconds: Math.max(0, Math.ceil((end - now) / 1_000)),
  };
}
