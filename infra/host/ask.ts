import { advance } from '../../events/advance.ts';
import type { OutEvent } from '../../events/types.ts';
import { forEachLimited, rotated } from '../../shared/async/parallel.ts';
import { timeBox } from '../../shared/async/timeout.ts';
import { MachineUnreadable } from '../../shared/dialects/dialect.ts';
import type { RequestContext } from '../../shared/http/context.ts';
import { failureKind, NotDelivered } from '../../shared/http/failures.ts';
import type { Advance } from '../../shared/machine/messages.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { aboutMachine } from '../../shared/runtime/telemetry.ts';

/**
 * Takes the step that is asked for here, and answers with what follows. The log is the request's. `reserveCapacity`: counts the
 * request for a workload cluster, if it is only about this step.
 */
export type Step = (
  command: Advance,
  log: InstanceLog,
  reserveCapacity?: RequestContext['reserveCapacity'],
) => Promise<OutEvent[]>;

/** A sink that hangs must leave the request time to do the work here. */
const sendMilliseconds = 5_000;
/** More steps than any deletion has phases. */
const maxSteps = 16;

/**
 * Asks for looks: one of them by the reply, which needs no sink, the others by events of their own. Those that the sink
 * does not take are taken here. Ticks and events take different ways, and no deletion may need both. The
 * reply is chosen at random, so that no Machine always loses its event. A source that calls a function directly,
 * without a Broker, reads no reply. For such a sender every look is an event as well.
 */
export async function ask(
  commands: readonly Advance[],
  { step, random }: { step: Step; random: () => number },
  context: RequestContext,
): Promise<OutEvent | undefined> {
  const [first, ...others] = commands.length > 1 ? rotated(commands, random) : commands;
  const unheard = first === undefined || context.readsReply ? others : [first, ...others];
  let isTaking = true;
  await forEachLimited(unheard, async (command) => {
    if (isTaking && (await isSent(command, context))) return;
    isTaking = false;
    await stepHere(command, step, context);
  });
  return first && advance(first, context.clock.now());
}

async function isSent(command: Advance, context: RequestContext): Promise<boolean> {
  const { log, clock, signal } = context;
  const box = timeBox(clock, sendMilliseconds);
  try {
    await context.emit(advance(command, clock.now()), box.signal);
    return true;
  } catch (error) {
    // The request's own deadline may be over: no failure of the sink.
    if (!(error instanceof NotDelivered) || signal.aborted) throw error;
    log.warn('Cannot send commands, running due steps in this instance', { why: error.message });
    return false;
  } finally {
    box.cancel();
  }
}

/** Runs the deletion until it has to wait. A requeue that this does not reach stays due. */
async function stepHere(asked: Advance, step: Step, { log, signal }: RequestContext): Promise<void> {
  try {
    let command: Advance | undefined = asked;
    for (let steps = 0; command !== undefined && steps < maxSteps && !signal.aborted; steps += 1) {
      command = nextOf(await step(command, log));
    }
  } catch (error) {
    // The next Machine must not wait for a failure of this one, and its look is due again.
    const about = aboutMachine(asked.machine);
    const why = whyExpected(error);
    if (why !== undefined) log.warn('Machine could not be looked at', { ...about, why });
    else log.error('Machine could not be looked at', { ...about, error });
  }
}

/** Undefined for an error of our own code. */
function whyExpected(error: unknown): string | undefined {
  if (error instanceof MachineUnreadable) return error.message;
  return error instanceof Error && failureKind(error) !== 'unexpected' ? error.message : undefined;
}

const nextOf = (said: readonly OutEvent[]): Advance | undefined =>
  said.find((event) => event.type === 'dev.phaseout.deletion.advance.v1')?.data;
