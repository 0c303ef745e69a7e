import { readOr } from '../kubernetes/errors.ts';
import type { Phase } from '../machine/phase.ts';
import type { Subject } from '../phase/definition.ts';
import { heldBy } from '../phase/guard.ts';
import { retreated } from '../phase/transitions.ts';
import type { Phases } from './assessment.ts';
import type { Foresight } from './foresight.ts';

/** From these the deletion may go back. */
const returning: readonly Phase[] = ['volume-detach', 'hand-over', 'pre-terminate', 'infrastructure'];

/** Where Pods have appeared on the Node again, or volumes, the deletion goes back, as the phase that it is in decides. */
export async function steppedBack(phases: Phases, snapshot: Foresight, subject: Subject): Promise<Subject> {
  const { checkpoint } = subject;
  const { phase } = checkpoint;
  if (!returning.includes(phase) || heldBy('pre-terminate', subject, snapshot.now()) !== undefined)
    return subject;
  // What is wrong with what it reads is said at its own phase.
  const look = await readOr(undefined, () => phases[phase].look(snapshot, subject));
  const decision = look?.decide(snapshot.now());
  if (decision?.kind !== 'retreat') return subject;
  return { ...subject, checkpoint: retreated(checkpoint, decision.to, snapshot.now()) };
}
