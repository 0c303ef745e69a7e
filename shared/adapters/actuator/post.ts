import { limits } from '../../actuator/contract.ts';
import type { HttpAnswer } from '../../actuator/read-answer.ts';
import { timeBox } from '../../async/timeout.ts';
import type { Clock, Stopwatch } from '../../time/clock.ts';
import { failureText, isLostConnection } from '../network-errors.ts';

/** The part of `fetch` that a provider is asked through. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface PostRequest {
  url: string;
  token: string | undefined;
  body: string;
}

export interface PostOptions {
  fetch: Fetch;
  clock: Clock;
  /** For the whole exchange, the answer's body included. */
  timeoutSeconds: number;
}

/**
 * A connection that was dead already fails as soon as it is used. What fails later may have been done. By then the
 * caller knows too little of the Machine to ask again: its deletion may have begun.
 */
const deadMilliseconds = 1_000;

export interface PostAnswer extends HttpAnswer {
  retryAfter: string | undefined;
}

/** Posts JSON, following no redirect: the token is meant for this host. Throws an Error that says what went wrong. */
export async function post(
  request: PostRequest,
  { fetch, clock, timeoutSeconds }: PostOptions,
): Promise<PostAnswer> {
  const box = timeBox(clock, timeoutSeconds * 1000);
  try {
    return await postTwice(request, fetch, box.signal, clock.stopwatch());
  } catch (error) {
    const why = box.signal.aborted ? `no answer within ${timeoutSeconds} s` : failureText(causeOf(error));
    throw new Error(why, { cause: error });
  } finally {
    box.cancel();
  }
}

/** A kept-alive connection may have died unnoticed, and every operation may be repeated. */
async function postTwice(
  request: PostRequest,
  fetch: Fetch,
  signal: AbortSignal,
  age: Stopwatch,
): Promise<PostAnswer> {
  try {
    return await postOnce(request, fetch, signal);
  } catch (error) {
    const wasDead = isLostConnection(causeOf(error)) && age() <= deadMilliseconds;
    if (signal.aborted || !wasDead) throw error;
    return postOnce(request, fetch, signal);
  }
}

async function postOnce(
  { url, token, body }: PostRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'phaseout',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body,
    signal,
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    text: await textOf(response),
  };
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop breaks the answer off.
    if (length > limits.answerBytes) throw new Error(`answered with more than ${limits.answerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` wraps what went wrong in an error that says no more than that it failed. */
const causeOf = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;
