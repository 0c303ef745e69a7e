import { rememberOwnWrite } from '../cache/cache.ts';
import type { WriteOutcome } from '../kubernetes/client.ts';
import { Unavailable } from '../kubernetes/errors.ts';
import { type Machine, withNode } from '../machine/machine.ts';
import type { Subject } from '../phase/definition.ts';
import type { Environment } from '../runtime/environment.ts';
import type { Stopwatch } from '../time/clock.ts';

/**
 * What became of a write of the Machine itself. `age`: since it was sent, for the Machine may have changed by the time of its
 * answer; undefined where nothing had to be written.
 */
export type Saved =
  | { kind: 'saved'; machine: Machine; age?: Stopwatch }
  | { kind: 'conflict' }
  | { kind: 'gone' };

/** The API server has refused to change the Machine (403, 422, an unanswered webhook): asked again soon it will say the same. */
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

/** How the API server says that it could not ask a webhook, and has therefore not made the write. */
const unasked = 'failed calling webhook';

/**
 * A webhook without an endpoint keeps a Machine from being written while that lasts, which may be days: it is a refusal, told
 * on the Machine. Webhooks are often not asked about its status.
 */
export async function webhookFailureAsRefusal(write: Promise<WriteOutcome>): Promise<WriteOutcome> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof Unavailable) || !error.message.includes(unasked)) throw error;
    return { kind: 'refused', code: 500, message: error.statusText };
  }
}
