import { advance } from '../../events/advance.ts';
import type { OutEvent } from '../../events/types.ts';
import { NotDelivered } from '../../shared/http/failures.ts';
import type { Outbox } from '../../shared/http/outbox/outbox.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { aboutMachine, ofMachine, withTraceLog } from '../../shared/runtime/telemetry.ts';
import { type Tracing } from '../../shared/runtime/tracing.ts';
import type { Clock } from '../../shared/time/clock.ts';
import type { Step } from './ask.ts';

interface Waking {
  step: Step;
  outbox: Pick<Outbox, 'send'>;
  clock: Pick<Clock, 'now'>;
  log: InstanceLog;
  tracing: Tracing;
}

/** A wait has ended: the same step runs at once, and its command goes through the broker like any other. Never rejects. */
export function wake(waking: Waking, command: Advance): Promise<void> {
  const { tracing, log } = waking;
  const attributes = { ...ofMachine(command.machine), 'phaseout.phase': command.phase };
  return tracing.span('wake-up', { parent: command.trace, attributes }, () =>
    woken({ ...waking, log: withTraceLog(log, tracing) }, command),
  );
}

async function woken(waking: Waking, command: Advance): Promise<void> {
  const { outbox, log } = waking;
  try {
    for (const event of await steppedOrAgain(waking, command)) await outbox.send(event);
  } catch (error) {
    // Nothing is lost: the saved look is still due.
    const isExpected = error instanceof Unavailable || error instanceof NotDelivered;
    const fields = { ...aboutMachine(command.machine), error };
    log[isExpected ? 'warn' : 'error']('Wake-up ended without a step', fields);
  }
}

/** Sends a failed wake-up as a command. The broker repeats it, so a passing error does not cost the whole wait. */
async function steppedOrAgain({ step, clock, log }: Waking, command: Advance): Promise<OutEvent[]> {
  try {
    return await step(command, log);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const about = aboutMachine(command.machine);
    log.debug('Wake-up is left to the broker', { ...about, why: error.message });
    return [advance(command, clock.now())];
  }
}
