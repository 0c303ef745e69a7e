import type { Effect } from '../phase/decision.ts';
import type { PlaceWrite } from '../policies/choose.ts';
import { saveCheckpoint } from '../write/checkpoint.ts';
import { writePlace } from '../write/places.ts';
import { recordDecision, type Step } from './step.ts';

/**
 * Takes places in order of the policies' names, or gives them back. What has changed meanwhile is looked at once more. False if
 * the Machine has changed or gone. Throws Unavailable.
 */
export async function writePlaces(step: Step, effect: Effect & { kind: 'write-places' }): Promise<boolean> {
  const { as, writes } = effect;
  if (as === 'give-back' && !(await stepBack(step))) return false;
  for (const write of writes) {
    if (!(await writePlace(step.env, write))) return true;
    note(step, as, write);
  }
  return true;
}

function note(
  { env, snapshot, journal, arrived }: Step,
  as: 'take' | 'give-back',
  { policy, begun }: PlaceWrite,
): void {
  const isTaken = as === 'take';
  if (isTaken) snapshot.policies.taken.add(policy.uid);
  else snapshot.policies.taken.delete(policy.uid);
  env.log.info(isTaken ? 'Place taken' : 'Place given back', { policy: policy.name });
  const limit = policy.spec.maxUnavailable ?? 'any';
  const message = isTaken
    ? `Took place ${begun.length} of ${limit} in DrainPolicy ${policy.name}`
    : `Gave back its place in DrainPolicy ${policy.name}`;
  recordDecision(journal, arrived.subject.checkpoint, {
    what: 'acted',
    reason: 'WaitingForDrainPolicy',
    message,
  });
}

/**
 * Another instance may have found these places, and be about to begin. Its checkpoint is written to the Machine as that was. So the
 * Machine changes before they are given back.
 */
async function stepBack({ env, arrived }: Step): Promise<boolean> {
  const { subject } = arrived;
  const checkpoint = { ...subject.checkpoint, seq: subject.checkpoint.seq + 1 };
  const saved = await saveCheckpoint(env, subject, checkpoint);
  if (saved.kind !== 'saved') return false;
  arrived.subject = { ...subject, machine: saved.machine, checkpoint };
  arrived.age = saved.age ?? arrived.age;
  return true;
}
