import { phasesOn } from '../dialects/beside/phases.ts';
import { isPast, passing } from '../machine/checkpoint.ts';
import type { Phase } from '../machine/phase.ts';
import type { PhaseOutcome } from '../machine/reason.ts';
import type { Subject } from '../phase/definition.ts';
import { heldBy } from '../phase/guard.ts';
import type { AssessedPhase, ForeseenPhase, OnNode, Phases } from './assessment.ts';
import { foresee, foreseeDrain, foreseePhase, foreseeServer } from './foresee.ts';
import type { Foresight } from './foresight.ts';
import { comingTo } from './subject.ts';
import { orUnread } from './unread.ts';

/** What is found on the way through the phases. */
type Found = Pick<OnNode, 'drain' | 'cordonedOther' | 'detach' | 'refusals' | 'message'>;

export interface Assessing {
  phases: Phases;
  snapshot: Foresight;
  /** Budgets that nothing has computed, by `namespace/name`. */
  uncomputed: ReadonlySet<string>;
  /** UID of the Machine's own Node, where it has one. */
  ownNode: string | undefined;
}

/** The phases of the Machine's API, in order. Each look takes the phases before it as done. */
export async function assessPhases(
  assessing: Assessing,
  subject: Subject,
): Promise<{ assessed: AssessedPhase[]; found: Found }> {
  const assessed: AssessedPhase[] = [];
  let found: Found = { message: '' };
  const outcomes: Partial<Record<Phase, PhaseOutcome>> = {};
  for (const phase of phasesShown(subject)) {
    const drained = assessed.some(isDrainToCome) ? assessing.ownNode : undefined;
    const now = assessing.snapshot.now();
    const coming = isPast(subject.checkpoint, phase)
      ? subject
      : comingTo(phase, subject, { now, outcomes, drained });
    const { here, more } = await assessPhase(assessing, phase, coming);
    assessed.push(here);
    found = { ...found, ...more };
    if (!isPast(subject.checkpoint, phase)) outcomes[phase] = outcomeOf(here);
  }
  return { assessed, found };
}

/** Those that are on its way, and those that it has passed. */
function phasesShown({ machine, dialect, checkpoint: { passed } }: Subject): Phase[] {
  const held = phasesOn(machine, dialect);
  return dialect.phases.filter((phase) => held.includes(phase) || passed[phase] !== undefined);
}

const isDrainToCome = (each: AssessedPhase): boolean =>
  each.phase === 'drain' &&
  (each.kind === 'unread' ||
    (each.kind === 'foreseen' && (each.decision.kind !== 'advance' || each.decision.passing === 'done')));

/** What is waited for will have come. */
const outcomeOf = (each: AssessedPhase): PhaseOutcome =>
  each.kind === 'foreseen' && each.decision.kind === 'advance' ? each.decision.passing : 'done';

interface AssessedHere {
  here: AssessedPhase;
  more?: Partial<Found>;
}

async function assessPhase(assessing: Assessing, phase: Phase, subject: Subject): Promise<AssessedHere> {
  const held = heldAt(phase, subject, assessing.snapshot.now());
  if (held !== undefined) return { here: { phase, ...held } };
  const { checkpoint, dialect, machine } = subject;
  if (isPast(checkpoint, phase))
    return { here: { phase, kind: 'passed', as: passing(checkpoint, phase) ?? 'done' } };
  if (dialect.isDone(machine, phase)) return { here: { phase, kind: 'done-before' } };
  return orUnread<AssessedHere>(
    () => look(assessing, phase, subject),
    (why) => ({ here: { phase, kind: 'unread', why, subject } }),
  );
}

/** As the guard has it before every phase: a hook that was set late holds all the same. */
function heldAt(phase: Phase, subject: Subject, now: number): ForeseenPhase | undefined {
  if (phase !== 'pre-drain' && phase !== 'pre-terminate') return undefined;
  const decision = heldBy(phase, subject, now);
  return decision && { kind: 'foreseen', subject, effects: [], decision };
}

async function look(
  { phases, snapshot, uncomputed }: Assessing,
  phase: Phase,
  subject: Subject,
): Promise<AssessedHere> {
  if (phase === 'drain') {
    const { phase: drain, ...more } = await foreseeDrain(phases, snapshot, subject, uncomputed);
    return { here: { phase, ...drain }, more: { ...more, ...(drain.seen && { drain: drain.seen }) } };
  }
  if (phase === 'volume-detach') {
    const detach = await foresee(phases[phase], snapshot, subject);
    return { here: { phase, ...detach }, more: { ...(detach.seen && { detach: detach.seen }) } };
  }
  const isByProvider = phase === 'infrastructure' && subject.dialect.termination.by === 'actuator';
  const foreseeing = isByProvider ? foreseeServer : foreseePhase;
  return { here: { phase, ...(await foreseeing(phases[phase], snapshot, subject)) } };
}
