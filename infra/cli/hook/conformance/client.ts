import type { CloudEvent } from '../../../../events/envelope.ts';
import { type HookAnswerReading, readHookAnswer } from '../../../../events/read-hook-answer.ts';
import { readCloudEvent, toBinary } from '../../../../shared/http/cloud-events/cloud-event.ts';
import { MalformedEvent } from '../../../../shared/http/cloud-events/well-formed.ts';
import { cut } from '../../../../shared/text/truncate.ts';
import type { Clock } from '../../../../shared/time/clock.ts';
import { type Attempt, attempt } from '../../../local/eventing/attempt.ts';
import { callTimeout } from '../../../local/eventing/hook-trigger.ts';
import { binaryHeaders, flatten, fromHttp } from '../../../local/eventing/http-binding.ts';
import type { Post, PostResponse } from '../../../local/eventing/post.ts';
import { printable } from '../../../terminal/words.ts';

/** A call and what came of it. */
export interface Exchange {
  /** What came back, in one line. */
  shown: string;
  reading: HookAnswerReading;
}

/** Calls the function as a Broker would, and reads its reply as phaseout would. */
export interface Client {
  call(event: CloudEvent): Promise<Exchange>;
}

interface ClientOptions {
  url: string;
  post: Post;
  clock: Clock;
  /** Calls off what is under way. */
  signal: AbortSignal;
}

/** As the Trigger of a hook has it. There is no retry: a function that needs one has made a mistake. */
const delivery = { timeout: callTimeout };

export function createClient({ url, post, clock, signal }: ClientOptions): Client {
  return {
    async call(event) {
      let response: PostResponse | undefined;
      const heard: Post = async (request) => (response = await post(request));
      const came = await attempt(heard, clock, { url, event: wired(event), headers: {}, delivery, signal });
      return { shown: shownOf(response, came), reading: readingOf(came) };
    },
  };
}

function wired(event: CloudEvent) {
  const { headers, body } = toBinary(event);
  const read = fromHttp(headers, Buffer.from(body));
  if (read.kind !== 'event') throw new Error('what is sent is no event');
  return read.event;
}

function readingOf(came: Attempt): HookAnswerReading {
  if (came.kind === 'done') return readHookAnswer(undefined);
  if (came.kind === 'failed')
    return { kind: 'none', why: came.unexplained ? 'its body is no event' : 'it is no success' };
  try {
    return readHookAnswer(readCloudEvent(flatten(binaryHeaders(came.event)), came.event.data));
  } catch (error) {
    if (!(error instanceof MalformedEvent)) throw error;
    return { kind: 'none', why: error.message };
  }
}

const longestShown = 300;

function shownOf(response: PostResponse | undefined, came: Attempt): string {
  if (response === undefined) return silenceOf(came);
  const { status, headers, body } = response;
  const text = printable(Buffer.from(body).toString());
  const type = headers['ce-type'] === undefined ? '' : `${printable(headers['ce-type'])} `;
  return `${status} ${type}${text === '' ? '(empty)' : cut(text, longestShown)}`;
}

/** The Broker's own words for a subscriber that does not answer. */
const silenceOf = (came: Attempt): string =>
  came.kind === 'failed' ? cut(printable(Buffer.from(came.body).toString()), longestShown) : 'nothing';
