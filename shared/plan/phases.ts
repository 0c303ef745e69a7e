import type { AssessedPhase, Assessment, ForeseenPhase } from '../assess/assessment.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { PlannedPhase } from './deletion-plan.ts';
import { advancedText, doneText, waitingText } from './phase-words.ts';

type Planned = Omit<PlannedPhase, 'phase'>;

/** What each phase does, in the words of a plan: the phase itself has decided it. */
export const plannedPhases = (assessment: Assessment): PlannedPhase[] =>
  assessment.phases.map((each) => ({ phase: each.phase, ...plannedPhase(each, assessment) }));

function plannedPhase(each: AssessedPhase, assessment: Assessment): Planned {
  switch (each.kind) {
    case 'passed':
      return { does: 'passed', why: passedAs[each.as] };
    case 'done-before':
      return { does: 'skip', why: 'the Machine says that it is done' };
    case 'left':
      return { does: each.does, why: each.why };
    case 'unread':
      return { does: 'unknown', why: each.why };
    case 'foreseen':
      return foreseen(each, assessment);
    default:
      return each satisfies never;
  }
}

const passedAs: Record<PhaseOutcome, string> = {
  done: 'it is done',
  excluded: 'the Machine was excluded from it',
  'timed-out': 'its time was over',
  'not-applicable': 'it was not for this Machine',
};

function foreseen(each: AssessedPhase & ForeseenPhase, assessment: Assessment): Planned {
  const { decision } = each;
  switch (decision.kind) {
    case 'act':
    case 'hand-over':
    case 'release':
      return doneText(each, assessment);
    case 'wait':
      return waitingText(each, decision.report, assessment);
    case 'advance':
      return advancedText(each, decision, assessment);
    case 'retreat':
      return { does: 'work', why: decision.message };
    case 'ignore':
      return { does: 'skip', why: decision.why };
    default:
      return decision satisfies never;
  }
}
