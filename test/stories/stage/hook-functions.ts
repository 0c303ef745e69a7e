import * as z from 'zod';
import { hookAnswer } from '../../../events/hook-answer.ts';
import { hookCallSchema } from '../../../events/hook-call.ts';
import { type BinaryMessage, toBinary } from '../../../shared/http/cloud-events/cloud-event.ts';
import type { HookAnswer } from '../../../shared/machine/hook-call.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import type { Told } from './told.ts';

const data = hookCallSchema.shape.data;
const headersOf = z.looseObject({ 'ce-id': z.string(), 'ce-hook': z.string(), 'ce-answerto': z.string() });

/** A call as a function of a story gets it. */
export interface StagedCall extends z.infer<typeof data> {
  id: string;
  answerTo: string;
}

/** What a function answers: a state with its words, any message, or nothing. */
type Answering = (call: StagedCall) => Omit<HookAnswer, 'answerTo'> | BinaryMessage | undefined;

/** The functions of DeletionHooks in a story, and all calls that they got. */
export class HookFunctions {
  readonly calls: StagedCall[] = [];
  readonly #told: Told;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #functions = new Map<string, Answering>();

  constructor(told: Told, clock: Pick<Clock, 'now'>) {
    this.#told = told;
    this.#clock = clock;
  }

  /** From now on this function answers so. */
  serve(name: string, answering: Answering): void {
    this.#functions.set(name, answering);
  }

  /** The reply of the function that the call is for. */
  take({ headers, body }: BinaryMessage): BinaryMessage | undefined {
    const { 'ce-id': id, 'ce-hook': hook, 'ce-answerto': answerTo } = headersOf.parse(headers);
    const call: StagedCall = { ...data.parse(JSON.parse(body)), id, answerTo };
    this.calls.push(call);
    const [, name = ''] = hook.split('/');
    const answer = this.#functions.get(name)?.(call);
    const words = answer === undefined ? 'nothing' : 'state' in answer ? answer.state : 'something else';
    const last = call.lastMessage === undefined ? '' : `, last said: ${call.lastMessage}`;
    this.#told.say(`call ${call.attempt} of ${hook} at ${call.place}${last}; it answers ${words}`);
    if (answer === undefined || !('state' in answer)) return answer;
    return this.answer(call, answer);
  }

  /** An answer to a call, whenever it is sent. */
  answer({ id, answerTo }: StagedCall, answer: Omit<HookAnswer, 'answerTo'>): BinaryMessage {
    const about = { id: `${id}/answer`, source: '/function', time: this.#clock.now() };
    return toBinary(hookAnswer({ answerTo, ...answer }, about));
  }
}
