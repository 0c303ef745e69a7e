import type { AssessedPhase, Assessment } from '../assess/assessment.ts';
import { limitSecondsOf } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import { limitStart } from '../phase/time-limit.ts';
import { type Instant, rfc3339Seconds } from '../time/clock.ts';
import type { PlannedLimit } from './deletion-plan.ts';

const limited = ['drain', 'volume-detach', 'node'] as const;

/** When each step that is to come is given up, counted from where the deletion stands. */
export const planLimits = (assessment: Assessment): PlannedLimit[] =>
  limited.flatMap((phase) => {
    const here = assessment.phases.find((each) => each.phase === phase);
    return here === undefined || !isToCome(here) ? [] : planLimit(phase, here.subject, assessment.now);
  });

type ToCome = AssessedPhase & { subject: Subject };

/** A step that is passed over for another reason than its time is not given up. */
const isToCome = (here: AssessedPhase): here is ToCome =>
  here.kind === 'unread' ||
  (here.kind === 'foreseen' &&
    !(here.decision.kind === 'advance' && ['excluded', 'not-applicable'].includes(here.decision.passing)));

function planLimit(phase: PlannedLimit['phase'], coming: Subject, now: Instant): PlannedLimit[] {
  const seconds = limitSecondsOf(phase, coming.machine);
  // Of the Node alone a negative limit is one: it is over at once.
  if (seconds === 0 || (seconds < 0 && phase !== 'node')) return [];
  const limit = { phase, seconds: Math.max(0, seconds), afterwards: afterwardsOf[phase] };
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

/** What happens when a step is given up. */
export const afterwardsOf: Readonly<Record<PlannedLimit['phase'], string>> = {
  drain: 'no Pod is evicted any more, and Pods that are still on the Node go with the server',
  'volume-detach': 'the server is deleted while volumes are attached to it',
  node: 'the Node object is left behind, and the Machine goes',
};
