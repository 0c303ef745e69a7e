import { rememberOwnWrite } from '../cache/cache.ts';
import type { WriteOutcome } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { type Machine, withNode } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Stopwatch } from '../time/clock.ts';

/**
 * The outcome of a write of the Machine itself. `age`: since it was sent, as the Machine may change before the
 * answer. Undefined if there was nothing to write.
 */
export type Saved =
  | { kind: 'saved'; machine: Machine; age?: Stopwatch }
  | { kind: 'conflict' }
  | { kind: 'gone' };

/**
 * The API server has refused to change the Machine (403, 422, an unanswered webhook). If it is asked again soon, it
 * answers the same.
 */
export class WriteRefused extends Unavailable {}

export const keyOf = ({ ref }: Machine): { namespace: string; name: string } => ({
  namespace: ref.namespace,
  name: ref.name,
});

export function afterWrite(
  env: Environment,
  { machine, dialect }: Pick<Subject, 'machine' | 'dialect'>,
  outcome: Exclude<WriteOutcome, { kind: 'refused' }>,
  age: Stopwatch,
): Saved {
  if (outcome.kind === 'written') {
    env.cache.rememberMachine(outcome.object, age);
    rememberOwnWrite(env.cache, outcome.object);
    const written = dialect.read(outcome.object);
    return { kind: 'saved', machine: withNode(written, machine.nodeName), age };
  }
  env.cache.forgetMachine(machine.ref.uid);
  return { kind: outcome.kind };
}

/** The API server's words if it could not ask a webhook, and so has not made the write. */
const unasked = 'failed calling webhook';

/**
 * A webhook without an endpoint blocks writes of a Machine, perhaps for days. That counts as a refusal, so the
 * Machine shows it. Webhooks often do not cover the status.
 */
export async function webhookFailureAsRefusal(write: Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof Unavailable) || !error.message.includes(unasked)) throw error;
    return { kind: 'refused', code: 500, message: error.statusText };
  }
}
