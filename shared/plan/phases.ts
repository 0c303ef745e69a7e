import type { Existence } from '../actuator/port.ts';
import {
  type AssessedPhase,
  type Assessment,
  drainPlanOf,
  type ForeseenPhase,
} from '../assess/assessment.ts';
import { holdIn } from '../dialects/beside/phases.ts';
import type { HookPoint } from '../dialects/dialect.ts';
import { isTerminating } from '../dialects/fields.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Report } from '../machine/report.ts';
import type { Decision } from '../phase/decision.ts';
import { bypassedText } from '../phase/guard.ts';
import type { PlannedPhase } from './deletion-plan.ts';

type Here = AssessedPhase & ForeseenPhase;
type Planned = Omit<PlannedPhase, 'phase'>;
type Advance = Decision & { kind: 'advance' };

/** What a phase does, by its last effect. */
function doneText({ phase, effects, decision, existence }: Here, { dialect }: Assessment): Planned {
  if (decision.kind === 'release') return works(`the finalizer ${dialect.finalizer} is removed`);
  if (decision.kind === 'hand-over')
    return works(`${holdIn(phase, dialect)} is taken off: the API's own controller goes on`);
  const effect = effects.at(-1);
  if (effect?.kind === 'delete') return works(`${effect.what} ${effect.key.name} is deleted`);
  return existence === undefined ? works(`${phase} goes on`) : serverText(existence);
}

const works = (why: string): Planned => ({ does: 'work', why });
const passes = (why: string): Planned => ({ does: 'pass', why });
const skips = (why: string): Planned => ({ does: 'skip', why });

/** What the provider says of the instance now. It is only asked, and whether it can be is worth knowing. */
function serverText(existence: Existence): Planned {
  const asked = 'the provider is asked to delete the instance';
  if (existence.kind === 'absent') return passes('the provider knows of no instance');
  if (existence.kind === 'exists') return works(asked);
  return works(`${asked}; whether it exists it cannot tell now: ${existence.message}`);
}

/** What a phase waits for. A drain that has Pods to evict, or to wait for, works. */
function waitingText({ phase }: Here, { message, error, reason }: Report, assessment: Assessment): Planned {
  const why = error ?? message;
  if (reason === 'WaitingForDrainPolicy') return { does: 'wait', why, reason };
  if (phase === 'drain') return drainingText(why, assessment);
  if (error !== undefined) return { does: 'wait', why };
  if (phase === 'volume-detach') return { does: 'wait', why: 'volumes are attached to the Node' };
  const { machine, dialect } = assessment;
  const isObject =
    phase === 'bootstrap' || (phase === 'infrastructure' && dialect.termination.by === 'object');
  const ref = isObject ? machine[phase] : undefined;
  return { does: 'wait', why: ref === undefined ? why : `${ref.kind} ${ref.name} is being deleted` };
}

function drainingText(why: string, { onNode }: Assessment): Planned {
  const { cordonedOther: other } = onNode;
  if (other !== undefined)
    return {
      does: 'wait',
      why: `Node ${other} of the control plane is cordoned, and only one may be at a time`,
    };
  const { batches } = drainPlanOf(onNode);
  const leaving = batches.reduce((count, { pods }) => count + pods.length, 0);
  if (leaving === 0) return { does: 'wait', why };
  const inBatches = batches.length === 1 ? '1 batch' : `${batches.length} batches`;
  return works(`${leaving === 1 ? '1 Pod has' : `${leaving} Pods have`} to go, in ${inBatches}`);
}

/** Why there is nothing to do in a phase, or it is passed over. */
function advancedText(each: Here, { passing, message }: Advance, assessment: Assessment): Planned {
  const { phase } = each;
  if (phase === 'pre-drain' || phase === 'pre-terminate') return unheldText(phase, each, assessment);
  if (passing !== 'done') return skips(message);
  switch (phase) {
    case 'drain':
      return passes(hasNode(assessment) ? 'no Pod has to go' : noNode);
    case 'volume-detach':
      return passes(hasNode(assessment) ? 'no volume has to come off' : noNode);
    case 'infrastructure':
    case 'bootstrap':
      return referredText(phase, assessment);
    case 'node':
      return nodeText(message, assessment);
    default:
      return passes(message);
  }
}

const noNode = 'the Node does not exist';
const hasNode = ({ onNode }: Assessment): boolean => onNode.node !== undefined;

function unheldText(
  point: HookPoint,
  { decision }: Here,
  { machine, dialect, mayTouchNode }: Assessment,
): Planned {
  const bypassed = dialect.bypassedHooks(machine, point);
  if (point === 'pre-terminate' || mayTouchNode)
    return passes(`no ${point} hook holds it${bypassedText(point, bypassed)}`);
  const why = decision.kind === 'advance' ? decision.message : '';
  return skips(`${why}${bypassedText(point, [...dialect.hooks(machine, point), ...bypassed])}`);
}

function referredText(phase: 'infrastructure' | 'bootstrap', { machine }: Assessment): Planned {
  const ref = machine[phase];
  if (ref !== undefined) return passes(`${ref.kind} ${ref.name} does not exist`);
  const why = 'the Machine refers to none';
  // A run does not even come to it.
  return phase === 'bootstrap' ? skips(why) : passes(why);
}

/** One that has taken the name of the Machine's is left alone. */
function nodeText(message: string, { onNode: { node } }: Assessment): Planned {
  if (node === undefined) return passes(noNode);
  return isTerminating(node) ? passes(message) : skips(message);
}

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
