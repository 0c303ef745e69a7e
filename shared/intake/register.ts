import type { Beside, Dialect } from '../dialects/dialect.ts';
import type { Machine } from '../machine/machine.ts';
import { warning } from '../machine/report.ts';
import { writeFailureEvent } from '../provision/event.ts';
import type { Environment } from '../runtime/environment.ts';
import { changeLiving } from '../write/retry-on-conflict.ts';

/**
 * Puts our hook on a living Machine that lacks it: one write in its life. Where others take it off each time that is told,
 * once. Throws WriteRefused, and Unavailable.
 * @param isHeard whether an event alone says how the Machine is
 */
export async function register(
  env: Environment,
  dialect: Dialect & { beside: Beside },
  machine: Machine,
  isHeard = false,
): Promise<void> {
  const { register: registration } = dialect.beside;
  const first = registration(machine);
  if (first.kind === 'given-up')
    await writeFailureEvent(env, dialect, machine, warning('HookTakenOff', `${first.why}: it is left off`));
  if (first.kind !== 'due') return;
  await env.registrations.turn();
  await changeLiving(env, dialect, machine, {
    what: 'the hook',
    deed: 'put on',
    isHeard,
    patchOf(seen) {
      const due = registration(seen);
      if (due.kind !== 'due') return undefined;
      return { metadata: { annotations: due.annotations }, ...(due.spec && { spec: due.spec }) };
    },
  });
}

/** Whether phaseout works beside the controller of this Machine API. */
export const isBeside = (dialect: Dialect): dialect is Dialect & { beside: Beside } =>
  dialect.beside !== undefined;
