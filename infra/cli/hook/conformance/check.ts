import type { CloudEvent } from '../../../../events/envelope.ts';
import { hookAnswerType } from '../../../../events/hook-answer.ts';
import type { HookAnswer } from '../../../../shared/machine/hook-call.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import { type Outcome, Unmet } from '../../../conformance/outcome.ts';
import { printable } from '../../../terminal/words.ts';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { Turn, Turns } from './turn.ts';

/** One thing that the contract asks of a function, as a sentence that is true of a good one. */
export interface Check {
  name: string;
  /** Nothing said means passed. Throws Unmet. */
  run(bench: Bench): Promise<Outcome | void>;
}

/** What a check works with. */
export interface Bench {
  client: Client;
  turns: Turns;
  clock: Clock;
  /** How long the work may take. */
  deadlineSeconds: number;
  /** Whether the work is done, by the author's own command. */
  proof: ((turn: Turn) => Promise<boolean>) | undefined;
  /** The turn that the checks play to its end. */
  turn: Turn;
  /** Its answers so far, in their order. */
  answers: HookAnswer[];
  /** Tokens of events that were no calls. */
  notCalls: string[];
  /** Whether the work was done before its first call. */
  wasProven: boolean;
  /** Somebody wants the run to end. */
  interrupted: AbortSignal;
}

/** The answer to a call. Throws Unmet where none counts, or a limit is broken. */
export async function answered(
  { client }: Pick<Bench, 'client'>,
  event: CloudEvent,
): Promise<{ answer: HookAnswer; exchange: Exchange }> {
  const exchange = await client.call(event);
  const { reading } = exchange;
  if (reading.kind === 'none')
    throw new Unmet(
      `an event ${hookAnswerType} ${client.inTime}`,
      `${exchange.shown} (${printable(reading.why)})`,
    );
  const { answer, notes } = reading;
  if (answer.answerTo !== event['answerto'])
    throw new Unmet(
      `answerto ${String(event['answerto'])}, as in the call`,
      `answerto ${printable(answer.answerTo)}`,
    );
  if (notes.length > 0)
    throw new Unmet('message and retryAfter within their limits', `${exchange.shown} (${notes.join('; ')})`);
  return { answer, exchange };
}
