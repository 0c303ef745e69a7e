import { usableCheckpoint } from '../machine/checkpoint.ts';
import { phaseStart } from '../phase/definition.ts';
import { internalError, retryAfter, retrySoon } from '../phase/retry.ts';
import type { StepResult } from '../runtime/environment.ts';
import { record } from './record.ts';
import type { Step } from './step.ts';
import { saveWait } from './wait.ts';

const retry = { min: 5, max: 60 };

/** For so long it is not told again. */
const refusedMilliseconds = 4_000;

/**
 * The API server refuses to have the checkpoint written, or the finalizer taken off: nothing was done or told on the
 * strength of it, and the Machine says why in the server's words. What says that is news to the other instances, and the
 * words may be others each time: who has told it a moment ago leaves it at that, and at the look that is due.
 */
export async function waitRefused(step: Step, why: string): Promise<StepResult | 'conflict'> {
  const { env, arrived } = step;
  const { machine, dialect } = arrived.subject;
  // What could not be saved starts no time limit in the status.
  if (!arrived.isSaved) {
    const checkpoint = usableCheckpoint(machine, dialect.phases) ?? step.found.checkpoint;
    arrived.subject = { ...arrived.subject, checkpoint };
  }
  const { uid } = machine.ref;
  const { refused } = env.cache.notes(uid);
  if (refused !== undefined && refused() < refusedMilliseconds) {
    await record(step);
    return { facts: step.journal.facts };
  }
  const report = internalError(why, why);
  env.log.warn('Machine could not be written', { why });
  const events = dialect.events(machine, { what: 'unwritten', why });
  // What was scheduled before would come sooner.
  env.stepClaim?.forgetRequeue();
  const wait = { ...retrySoon(report), requeueAfterSeconds: retrySeconds(step), events };
  const result = await saveWait(step, wait, report);
  if (result !== 'conflict') env.cache.note(uid, { refused: env.clock.stopwatch() });
  return result;
}

/** More and more slowly: a person has to change a webhook, a permission or the Machine, and only the last is an event. */
function retrySeconds({ env, arrived: { subject, isSaved } }: Step): number {
  const { deletionTimestamp = 0 } = subject.machine;
  const lasted = (env.clock.now() - (isSaved ? phaseStart(subject) : deletionTimestamp)) / 1_000;
  return retryAfter(lasted, retry);
}
