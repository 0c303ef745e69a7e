import { hookAnswerType } from '../../../../events/hook-answer.ts';
import type { CloudEvent } from '../../../../infra/local/eventing/event.ts';
import { binaryHeaders } from '../../../../infra/local/eventing/http-binding.ts';
import type { PostResponse } from '../../../../infra/local/eventing/post.ts';
import { recordAt, textAt } from '../../../../shared/dialects/fields.ts';
import type { HookState } from '../../../../shared/machine/hook-call.ts';
import { type AnswerFate, sent } from './answer-fate.ts';
import { type PlayedHook, titleOfHook } from './played.ts';

/** A question that has come to the function of a DeletionHook. */
export interface PlayedCall {
  /** `namespace/name` of the DeletionHook. */
  hook: string;
  machineUid: string;
  answerTo: string;
  id: string;
}

/** What a function says to a call of its own. */
export interface PlayedAnswer {
  call: PlayedCall;
  state: HookState;
}

interface FunctionsParts {
  hooks: readonly PlayedHook[];
  now: () => number;
  say: (who: string, what: string) => void;
  fate: (answer: PlayedAnswer) => AnswerFate;
  /** An answer that is no reply reaches the Broker after so long. */
  slipIn: (event: CloudEvent, milliseconds: number) => void;
}

/** The functions of all DeletionHooks. They keep in mind what they have said, since they know best. */
export class HookFunctions {
  readonly hooks: readonly PlayedHook[];
  readonly #parts: FunctionsParts;
  /** By hook and Machine: the calls that came. */
  readonly #calls = new Map<string, number>();
  readonly #done = new Set<string>();
  readonly #passed = new Set<string>();
  #areAllDone = false;
  #answers = 0;

  constructor(parts: FunctionsParts) {
    this.#parts = parts;
    this.hooks = parts.hooks;
  }

  /** Whether it has ever answered Done to a call about this Machine, whatever became of the answer. */
  hasSaidDone(hook: string, machineUid: string): boolean {
    return this.#done.has(keyOf(hook, machineUid));
  }

  /** Whether it was ever asked about this Machine. */
  wasAsked(hook: string, machineUid: string): boolean {
    return this.#calls.has(keyOf(hook, machineUid));
  }

  /** A person lets this Machine go on without it. */
  pass(hook: string, machineUid: string): void {
    this.#passed.add(keyOf(hook, machineUid));
  }

  isPassed(hook: string, machineUid: string): boolean {
    return this.#passed.has(keyOf(hook, machineUid));
  }

  /** From now on each of them is done at once. */
  giveIn(): void {
    this.#areAllDone = true;
  }

  /** Where the Broker brings calls. */
  asHost(): { titles: readonly string[]; take: (event: CloudEvent) => PostResponse } {
    return { titles: this.hooks.map(titleOfHook), take: (event) => this.take(event) };
  }

  /** Takes a call; the reply to it, as a server of HTTP gives it. */
  take(event: CloudEvent): PostResponse {
    const call = callIn(event);
    const hook = this.hooks.find((each) => titleOfHook(each) === call.hook);
    if (hook === undefined) throw new Error(`there is no function of ${call.hook}`);
    const key = keyOf(call.hook, call.machineUid);
    const calls = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.set(key, calls);
    const answer = this.#answerOf(hook, call, calls);
    if (answer === undefined) return empty;
    if (answer.state === 'Done') this.#done.add(key);
    const { fate, slipIn, say } = this.#parts;
    const outcome = sent(fate(answer), this.#eventOf(hook, answer), this.#answers);
    if (outcome.words !== undefined) say(`the function of ${call.hook}`, outcome.words);
    for (const { event: late, milliseconds } of outcome.later) slipIn(late, milliseconds);
    return outcome.reply === undefined ? empty : responseOf(outcome.reply);
  }

  #answerOf({ plays }: PlayedHook, call: PlayedCall, calls: number): PlayedAnswer | undefined {
    const isDone = this.#areAllDone || (plays.calls !== undefined && calls > plays.calls);
    const state = isDone ? 'Done' : plays.until;
    return state && { call, state };
  }

  #eventOf({ plays }: PlayedHook, { call, state }: PlayedAnswer): CloudEvent {
    this.#answers += 1;
    const words =
      state === 'Done' ? 'all is done' : `call ${this.#calls.get(keyOf(call.hook, call.machineUid))}`;
    const data = {
      state,
      // Words that do not change bring no look, and no write.
      ...(plays.retryAfter === undefined ? { message: words } : {}),
      ...(state !== 'Done' && plays.retryAfter !== undefined && { retryAfter: plays.retryAfter }),
    };
    return {
      attributes: {
        specversion: '1.0',
        id: `answer-${this.#answers}`,
        source: `/functions/${call.hook}`,
        type: hookAnswerType,
        time: new Date(this.#parts.now()).toISOString(),
        datacontenttype: 'application/json',
        answerto: call.answerTo,
      },
      data: Buffer.from(JSON.stringify(data)),
    };
  }
}

const keyOf = (hook: string, machineUid: string): string => `${hook} ${machineUid}`;

const empty: PostResponse = { status: 200, headers: {}, body: new Uint8Array() };

const responseOf = (event: CloudEvent): PostResponse => ({
  status: 200,
  headers: Object.fromEntries(
    Object.entries(binaryHeaders(event)).map(([name, value]) => [name.toLowerCase(), value]),
  ),
  body: event.data,
});

/** As its author would read it: each field that is used must be there. */
function callIn({ attributes, data }: CloudEvent): PlayedCall {
  const machine = recordAt(JSON.parse(Buffer.from(data).toString()), 'machine');
  const { hook, answerto: answerTo, id } = attributes;
  const machineUid = textAt(machine, 'uid');
  if (hook === undefined || answerTo === undefined || id === undefined || machineUid === undefined)
    throw new Error(`a call lacks what its function needs: ${JSON.stringify(attributes)}`);
  return { hook, machineUid, answerTo, id };
}
