import type { DrainPlan } from '../drain/plan.ts';
import { Unavailable, unreadIn } from '../kubernetes/errors.ts';
import { uidOf } from '../kubernetes/objects.ts';
import { isSomebodyElses } from '../machine/owner.ts';
import type { DrainSeen } from '../observe/drain.ts';
import type { Decision, Effect } from '../phase/decision.ts';
import type { AnyPhase, DefinedPhase, Look, Subject } from '../phase/definition.ts';
import type { Instant } from '../time/clock.ts';
import type { ForeseenPhase, Phases, Refusals } from './assessment.ts';
import type { Foresight } from './foresight.ts';
import { foreseeRefusals } from './refusals.ts';

/** What a phase does, by its own decision. Its effect is what the next look of a run would rest on. Throws Unavailable. */
export async function foreseePhase(
  phase: AnyPhase,
  snapshot: Foresight,
  subject: Subject,
): Promise<ForeseenPhase> {
  try {
    const { seen, decide } = await phase.look(snapshot, subject);
    const decision = decide(snapshot.now());
    const effects = decision.kind === 'act' ? decision.effects : [];
    return { kind: 'foreseen', subject, effects, decision, seen };
  } catch (error) {
    return { kind: 'foreseen', subject, effects: [], decision: refusedLook(phase, snapshot, subject, error) };
  }
}

/**
 * A phase waits for what no other look would find otherwise. Examples are another owner's server and a provider that is away.
 */
function refusedLook(phase: AnyPhase, snapshot: Foresight, subject: Subject, error: unknown): Decision {
  if (!(error instanceof Unavailable) || unreadIn(error) !== undefined) throw error;
  const isByProvider = phase.name === 'infrastructure' && subject.dialect.termination.by === 'actuator';
  if (!isByProvider && !isSomebodyElses(error.message)) throw error;
  return phase.onUnavailable(subject, error.message, snapshot.now());
}

/** The provider is only asked whether there is a server. Throws Unavailable. */
export async function foreseeServer(
  phase: AnyPhase,
  snapshot: Foresight,
  subject: Subject,
): Promise<ForeseenPhase> {
  try {
    const existence = await snapshot.serverExistence();
    const planned = await foreseePhase(phase, snapshot, subject);
    return { ...planned, existence };
  } catch (error) {
    return { kind: 'foreseen', subject, effects: [], decision: refusedLook(phase, snapshot, subject, error) };
  }
}

/** A drain, with what its cordon and its evictions would lead to. */
export interface ForeseenDrain {
  phase: ForeseenPhase<DrainSeen>;
  refusals?: Refusals;
  cordonedOther?: string;
  /** What the Machine would show while Pods are left; empty where none has to go. */
  message: string;
}

/** No drain takes more looks: cordon, evict, wait. */
const mostLooks = 4;

/** Goes on as the run does: after the cordon to the Pods, after their eviction to what the API answers. Throws Unavailable. */
export async function foreseeDrain(
  { drain }: Pick<Phases, 'drain'>,
  snapshot: Foresight,
  subject: Subject,
  uncomputed: ReadonlySet<string>,
): Promise<ForeseenDrain> {
  const effects: Effect[] = [];
  let refusals: Refusals | undefined;
  let look = await drain.look(snapshot, subject);
  const { seen: first } = look;
  const ofFirst = first.kind === 'not-permitted' ? look.decide(snapshot.now()) : undefined;
  for (let looks = 1; looks < mostLooks; looks += 1) {
    const { seen } = look;
    if (seen.kind === 'judged') refusals ??= await foreseeRefusals(snapshot, seen.plan, uncomputed);
    const decision = look.decide(snapshot.now());
    if (decision.kind !== 'act' && !waitsForOther(look)) break;
    if (decision.kind === 'act') effects.push(...decision.effects);
    if (!(await foreseeEffects(snapshot, look, refusals))) break;
    look = await drain.look(snapshot, subject);
  }
  const decision = ofFirst ?? look.decide(snapshot.now());
  if (look.seen.kind === 'judged') snapshot.foreseeGone(leaving(look.seen.plan));
  const phase: ForeseenPhase<DrainSeen> = { kind: 'foreseen', subject, effects, decision, seen: look.seen };
  return {
    phase,
    ...(refusals !== undefined && { refusals }),
    ...(first.kind === 'not-permitted' && { cordonedOther: first.other.metadata.name }),
    message: messageOf(look, snapshot.now()),
  };
}

function messageOf({ seen, decide }: Look<DrainSeen>, now: Instant): string {
  if (seen.kind === 'unjudged') return seen.failure.message;
  if (seen.kind !== 'judged') return '';
  const decision = decide(now);
  return decision.kind === 'wait' ? decision.report.message : '';
}

/** Its Pods are foreseen all the same: the other Node will be free. */
const waitsForOther = ({ seen }: Look<DrainSeen>): boolean => seen.kind === 'not-permitted';

/** False where nothing follows from it. A Pod that is hurried, no budget is asked for. */
async function foreseeEffects(
  snapshot: Foresight,
  { seen, decide }: Look<DrainSeen>,
  refusals: Refusals | undefined,
): Promise<boolean> {
  if (seen.kind === 'schedulable' || seen.kind === 'not-permitted') return snapshot.foreseeCordon(seen.name);
  if (refusals === undefined) return false;
  const decision = decide(snapshot.now());
  const effects = decision.kind === 'act' ? decision.effects : [];
  const evicted = effects.flatMap((effect) => (effect.kind === 'evict' ? effect.evictions : []));
  const accepted = evicted.map(({ pod }) => [uidOf(pod), { kind: 'accepted' }] as const);
  snapshot.recordAnswers(new Map([...accepted, ...refusals.answers]));
  const unblocked = effects.flatMap((effect) => (effect.kind === 'unblock' ? effect.prospects : []));
  for (const { pod } of unblocked) snapshot.recordTried(uidOf(pod), { kind: 'done' });
  return true;
}

const leaving = ({ batches }: DrainPlan): string[] => batches.flatMap(({ pods }) => pods.map(uidOf));

/** Typed as the phase is. */
export async function foresee<Seen>(
  phase: DefinedPhase<Seen>,
  snapshot: Foresight,
  subject: Subject,
): Promise<ForeseenPhase<Seen>> {
  const { seen, decide } = await phase.look(snapshot, subject);
  return { kind: 'foreseen', subject, effects: [], decision: decide(snapshot.now()), seen };
}
