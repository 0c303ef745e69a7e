import { givenUp } from '../../events/dead-letter.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import { readHookAnswer } from '../../events/read-hook-answer.ts';
import { deadLetter } from '../../functions/dead-letter.ts';
import { hookAnswer } from '../../functions/hook-answer.ts';
import { ended, intake } from '../../functions/intake.ts';
import { sweep } from '../../functions/sweep.ts';
import { MachineUnreadable } from '../../shared/dialects/dialect.ts';
import { MalformedEvent } from '../../shared/http/cloud-events/well-formed.ts';
import { defineFunction, defineListener, type Handler } from '../../shared/http/function.ts';
import { nextInLine } from '../../shared/intake/next-in-line.ts';
import type { Advance, Fact } from '../../shared/machine/messages.ts';
import { phases } from '../../shared/machine/phase.ts';
import type { Environment } from '../../shared/runtime/environment.ts';
import type { InstanceLog } from '../../shared/runtime/log.ts';
import { ask, type Step } from './ask.ts';

const changes = [
  'dev.knative.apiserver.resource.add',
  'dev.knative.apiserver.resource.update',
  'dev.knative.apiserver.resource.delete',
] as const;

/** What a function leaves beside its reply. */
export interface Leaves {
  publish: (facts: readonly Fact[]) => void;
  /** Takes a step now; what follows goes through the Broker. */
  wake: (command: Advance) => Promise<void>;
}

const leavesNothing: Leaves = { publish: () => undefined, wake: async () => undefined };

/** What answers each function's requests, by the names that serverless.yml gives them. */
export function handlersOf(
  environment: Environment,
  step: Step,
  { publish, wake }: Leaves = leavesNothing,
): Record<string, Handler> {
  const { random } = environment;
  return {
    intake: defineFunction(changes, async (event, context) => {
      const { log } = context;
      // A deleted object, or one that left the selection, needs no step. It may have freed a place.
      if (event.type === 'dev.knative.apiserver.resource.delete') {
        const env = { ...environment, log };
        publish(await readable(() => ended(env, event.data)));
        const commands = await nextInLine(env, event.data);
        return commands.length === 0 ? undefined : ask(commands, { step, random }, context);
      }
      const { next: command, facts } = await readable(() => intake({ ...environment, log }, event.data));
      publish(facts);
      return command && ask([command], { step, random }, context);
    }),
    sweep: defineFunction(['dev.knative.sources.ping'], async (event, context) => {
      const commands = await sweep({ ...environment, log: context.log }, event.data.sweep, publish);
      return ask(commands, { step, random }, context);
    }),
    'dead-letter': defineListener((event, log, selected) =>
      deadLetter({ ...environment, log }, givenUp(event, selected)),
    ),
    'hook-answer': defineListener((event, log) => answered({ ...environment, log }, event, log, wake)),
    ...phaseHandlers(environment, step),
  };
}

/** An answer that cannot be read is none: its function is asked again. */
async function answered(
  env: Environment,
  event: CloudEvent,
  log: InstanceLog,
  wake: Leaves['wake'],
): Promise<void> {
  const reading = readHookAnswer(event);
  if (reading.kind === 'none') {
    env.metrics.count('hookAnswers', { state: 'refused' });
    log.warn('Answer of a hook function does not count', { why: reading.why });
    return;
  }
  const { answer, notes } = reading;
  if (notes.length > 0) log.warn('Answer of a hook function was corrected', { why: notes.join('; ') });
  const command = await hookAnswer(env, answer);
  if (command !== undefined) await wake(command);
}

function phaseHandlers({ pendingEvents }: Environment, step: Step): Record<string, Handler> {
  const handler = defineFunction(
    ['dev.phaseout.deletion.advance.v1'],
    async (event, { log, reserveCapacity }) => {
      // The changes that begin a deletion are told in a row: one step sees them all.
      if (pendingEvents.noteCommand(event.data)) return [];
      return readable(() => step(event.data, log, reserveCapacity));
    },
  );
  return Object.fromEntries(phases.map((phase) => [phase, handler]));
}

/** A Machine that does not parse is the sender's error: another delivery changes nothing. */
async function readable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MachineUnreadable) throw new MalformedEvent('data', error.message);
    throw error;
  }
}
