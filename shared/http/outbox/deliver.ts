import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { Agent as HttpsAgent, request as requestSecurely } from 'node:https';
import { finished } from 'node:stream/promises';
import { getCACertificates } from 'node:tls';
import { pauseUnlessAborted, timeBox } from '../../async/timeout.ts';
import type { Clock } from '../../time/clock.ts';
import type { BinaryMessage } from '../cloud-events/cloud-event.ts';
import { NotDelivered } from '../failures.ts';

interface Sender {
  sink: string;
  post: Post;
  clock: Clock;
  random: () => number;
}

/** A sink that does not answer is as good as one that is down. */
const attemptMilliseconds = 30_000;

/** Posts until the sink takes it: a status of 2xx. Throws NotDelivered after the last attempt or a final refusal. */
export async function deliver(sender: Sender, message: BinaryMessage, signal?: AbortSignal): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    const answer = await attempt(sender, message, signal);
    if (answer instanceof Error) {
      if (retry === maxRetries || signal?.aborted) throw lost(sender, 'no answer', answer);
    } else {
      if (answer.status >= 200 && answer.status < 300) return;
      if (retry === maxRetries || !isRetryable(answer.status)) throw lost(sender, `status ${answer.status}`);
    }
    const retryAfter = answer instanceof Error ? undefined : answer.retryAfterSeconds;
    const milliseconds = pauseMilliseconds(retry, sender.random, retryAfter);
    await pauseUnlessAborted(sender.clock, milliseconds, signal, () =>
      lost(sender, 'the time of the request is over'),
    );
  }
}

const lost = ({ sink }: Sender, why: string, cause?: unknown): NotDelivered =>
  new NotDelivered(`the sink ${sink} did not take an event: ${why}`, { cause });

async function attempt(
  sender: Sender,
  message: BinaryMessage,
  signal?: AbortSignal,
): Promise<Answer | Error> {
  const box = timeBox(sender.clock, attemptMilliseconds);
  const signals = signal === undefined ? [box.signal] : [box.signal, signal];
  try {
    return await sender.post(sender.sink, message, AbortSignal.any(signals));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    box.cancel();
  }
}

const firstPauseMilliseconds = 100;
const longestPauseMilliseconds = 10_000;

/** After the first attempt; with their pauses about three seconds, as Knative's own sources take. */
const maxRetries = 5;

/** Statuses of a sink that may be another in a moment. Every other is its last word. */
function isRetryable(status: number): boolean {
  // 404: the route is not there yet; 408, 425, 429: asked for by name; 409: Knative's own choice.
  if ([404, 408, 409, 425, 429].includes(status)) return true;
  // 500 among them: it is what the broker's ingress says when a subscriber failed.
  return status >= 500;
}

/**
 * The pause in milliseconds before a retry, counted from 0. It doubles each time, and is no shorter than the sink asked
 * for. It is spread by half, so that many senders do not come back at once.
 */
export function pauseMilliseconds(retry: number, random: () => number, retryAfterSeconds = 0): number {
  const spread = firstPauseMilliseconds * 2 ** retry * (0.5 + random());
  return Math.min(longestPauseMilliseconds, Math.max(spread, retryAfterSeconds * 1_000));
}

/** What a sink has answered. */
export interface Answer {
  status: number;
  retryAfterSeconds?: number;
}

/** Posts one message; rejects when no answer came. */
export type Post = (url: string, message: BinaryMessage, signal: AbortSignal) => Promise<Answer>;

/**
 * Posts over kept-alive connections and follows no redirects: a POST would become a GET on the way. A drain publishes a
 * thousand facts in seconds, and `fetch` costs three times as much for each. `authorities`: certificates in PEM of
 * further authorities to believe. An authority within a cluster is none of the usual ones.
 */
export function createPost(authorities?: string): Post {
  const ca = authorities === undefined ? {} : { ca: [...getCACertificates(), authorities] };
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true, ...ca }),
  };
  return async (url, { headers, body }, signal) => {
    const target = new URL(url);
    const secure = target.protocol === 'https:';
    const agent = secure ? agents['https:'] : agents['http:'];
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method: 'POST', agent, headers: { ...headers, ...length }, signal };
    const outgoing = (secure ? requestSecurely : request)(target, options, resolve);
    outgoing.on('error', reject).end(body);
    return answerOf(await promise);
  };
}

/** The connection is free for the next event only when the body was read. */
async function answerOf(response: IncomingMessage): Promise<Answer> {
  response.resume();
  await finished(response);
  const retryAfterSeconds = secondsIn(response.headers['retry-after']);
  const status = response.statusCode ?? 0;
  return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Of the header's two forms only seconds are taken: the other one compares two machines' clocks. */
const secondsIn = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
