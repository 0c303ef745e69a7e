import type { Environment, StepResult } from '../runtime/environment.ts';
import { addHistory } from './record.ts';
import type { Step } from './step.ts';

/** The Machine vanished under the step: what was done before is still told, though by no Event of who is no more. */
export async function gone({ env, arrived: { subject }, journal }: Step): Promise<StepResult> {
  await Promise.all([addHistory(env, subject, journal), forget(env, subject.machine.ref.uid)]);
  return { facts: journal.facts };
}

/** No look is set for the Machine from now on. */
export const leaveStore = ({ store, stepClaim }: Environment, uid: string): Promise<void> =>
  stepClaim === undefined ? store.unschedule(uid) : stepClaim.leave();

/** The Machine is no more: nothing of it is left behind here either. */
export async function forget(env: Environment, uid: string): Promise<void> {
  env.cache.rememberGone(uid);
  env.wakeUps.drop(uid);
  await leaveStore(env, uid);
}
