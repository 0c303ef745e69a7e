import type { Environment, StepResult } from '../runtime/environment.ts';
import { addHistory } from './record.ts';
import type { Step } from './step.ts';

/**
 * The Machine vanished under the step. What was done before is still recorded and published. No Event is written
 * about a Machine that is gone.
 */
export async function gone({ env, arrived: { subject }, journal }: Step): Promise<StepResult> {
  await Promise.all([addHistory(env, subject, journal), forget(env, subject.machine.ref.uid)]);
  return { facts: journal.facts };
}

/** Leaves no look for the Machine in the store. */
export const leaveStore = ({ store, stepClaim }: Environment, uid: string): Promise<void> =>
  stepClaim === undefined ? store.unschedule(uid) : stepClaim.leave();

/** The Machine is gone. Leaves nothing of it here either. */
export async function forget(env: Environment, uid: string): Promise<void> {
  env.cache.rememberGone(uid);
  env.wakeUps.drop(uid);
  await leaveStore(env, uid);
}
