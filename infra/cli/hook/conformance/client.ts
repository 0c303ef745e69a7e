import type { CloudEvent } from '../../../../events/envelope.ts';
import { type HookAnswerReading, readHookAnswer } from '../../../../events/read-hook-answer.ts';
import { toBinary } from '../../../../shared/http/cloud-events/cloud-event.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import { type Attempt, attempt } from '../../../local/eventing/attempt.ts';
import { callTimeout } from '../../../local/eventing/hook-trigger.ts';
import { fromHttp } from '../../../local/eventing/http-binding.ts';
import { pause } from '../../../local/eventing/pause.ts';
import type { Post, PostResponse } from '../../../local/eventing/post.ts';
import { printable } from '../../../terminal/words.ts';
import type { AnswerBroker } from './broker.ts';
import { type Exchange, readEvent, shownText } from './exchange.ts';

/** Calls the function as a Broker would, and reads what it says as phaseout would. */
export interface Client {
  /** The reply to an event. */
  reply: (event: CloudEvent) => Promise<Exchange>;
  /** The answer to a call: its reply, or what the function sends later. */
  call: (event: CloudEvent) => Promise<Exchange>;
  /** By when a call must be answered, in words. */
  inTime: string;
  /** All that the function has said, in its order. */
  heard: readonly Exchange[];
}

interface ClientOptions {
  url: string;
  post: Post;
  clock: Clock;
  /** Where the function sends answers later; undefined where it must reply. */
  broker: AnswerBroker | undefined;
  /** How long an answer may come later. */
  deadlineSeconds: number;
  /** Calls off what is under way. */
  signal: AbortSignal;
}

/** As the Trigger of a hook has it. There is no retry: a function that needs one has made a mistake. */
const delivery = { timeout: callTimeout };

export function createClient(options: ClientOptions): Client {
  const { url, post, clock, broker, deadlineSeconds, signal } = options;
  const heard: Exchange[] = [];
  broker?.listen((exchange) => heard.push(exchange));

  async function send(event: CloudEvent): Promise<Exchange & { isEmpty: boolean }> {
    let response: PostResponse | undefined;
    const listened: Post = async (request) => (response = await post(request));
    const came = await attempt(listened, clock, { url, event: wired(event), headers: {}, delivery, signal });
    const token = came.kind === 'replied' ? came.event.attributes.answerto : undefined;
    const exchange = { shown: shownOf(response, came), reading: readingOf(came), token, isSentLater: false };
    if (came.kind === 'replied') heard.push(exchange);
    return { ...exchange, isEmpty: came.kind === 'done' };
  }

  async function call(event: CloudEvent): Promise<Exchange> {
    if (broker === undefined) return send(event);
    const over = new AbortController();
    const sent = firstSent(broker, event['answerto'], over.signal);
    try {
      const { isEmpty, ...reply } = await send(event);
      if (!isEmpty) return reply;
      const limit = pause(clock, deadlineSeconds * 1_000, AbortSignal.any([signal, over.signal]));
      const later = await Promise.race([sent, limit]);
      return later ?? { ...reply, shown: `${reply.shown}, and nothing for this turn at ${broker.url}` };
    } finally {
      over.abort();
    }
  }

  const later = broker && `, or sent to ${broker.url} within ${deadlineSeconds} s`;
  return { reply: send, call, inTime: `within 30 s${later ?? ''}`, heard };
}

/** What comes first of this turn. A message without a token may be meant for it. */
function firstSent(broker: AnswerBroker, token: unknown, over: AbortSignal): Promise<Exchange> {
  return new Promise((resolve) => {
    const stop = broker.listen((exchange) => {
      if (exchange.token === undefined || exchange.token === token) resolve(exchange);
    });
    over.addEventListener('abort', stop, { once: true });
  });
}

function wired(event: CloudEvent) {
  const { headers, body } = toBinary(event);
  const read = fromHttp(headers, Buffer.from(body));
  if (read.kind !== 'event') throw new Error('what is sent is no event');
  return read.event;
}

function readingOf(came: Attempt): HookAnswerReading {
  if (came.kind === 'done') return readHookAnswer(undefined);
  if (came.kind === 'replied') return readEvent(came.event);
  return { kind: 'none', why: came.unexplained ? 'its body is no event' : 'it is no success' };
}

function shownOf(response: PostResponse | undefined, came: Attempt): string {
  if (response === undefined) return silenceOf(came);
  const { status, headers, body } = response;
  const type = headers['ce-type'] === undefined ? '' : `${printable(headers['ce-type'])} `;
  return `${status} ${type}${shownText(body)}`;
}

/** The Broker's own words for a subscriber that does not answer. */
const silenceOf = (came: Attempt): string => (came.kind === 'failed' ? shownText(came.body) : 'nothing');
