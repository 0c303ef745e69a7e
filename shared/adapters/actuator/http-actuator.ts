import { limits, type Operation, pathOf } from '../../actuator/contract.ts';
import type { Actuator, ActuatorTarget } from '../../actuator/port.ts';
import {
  type HttpAnswer,
  type Reading,
  readDeletion,
  readExistence,
  readReport,
} from '../../actuator/read-answer.ts';
import { Unavailable } from '../../kubernetes/errors.ts';
import type { Clock } from '../../time/clock.ts';
import { type Fetch, type PostAnswer, post } from './post.ts';
import type { TokenSource } from './secret-token.ts';

/** How to reach a provider over HTTP. */
export interface HttpActuatorOptions {
  /** The provider's base URL, to which `/v1/exists` and the others are appended. */
  url: string;
  /** Without one the provider does not know who asks. */
  token?: TokenSource;
  /** For each request. */
  timeoutSeconds: number;
  clock: Clock;
  fetch?: Fetch;
}

/**
 * A provider behind the HTTP contract. Every call throws Unavailable, naming operation and URL, when no usable answer
 * came. Throws an Error at once when the URL is of no use.
 */
export function createHttpActuator(options: HttpActuatorOptions): Actuator {
  const base = baseOf(options.url);

  async function ask<T>(
    operation: Operation,
    target: ActuatorTarget,
    read: (answer: HttpAnswer) => Reading<T>,
  ): Promise<T> {
    const url = `${base}${pathOf(operation)}`;
    const { machine, cluster } = target;
    const answer = await postWithToken(options, url, JSON.stringify({ machine, cluster }));
    const reading = read(answer);
    if (reading.kind === 'read') return reading.value;
    throw new Unavailable(`POST ${url}: ${reading.why}`, {
      statusText: reading.why,
      ...retryAfterIn(answer),
    });
  }

  return {
    exists: (target) => ask('exists', target, readExistence),
    create: (target) => ask('create', target, readReport),
    update: (target) => ask('update', target, readReport),
    delete: (target) => ask('delete', target, readDeletion),
  };
}

/** After this the step knows too little of the Machine to act: a hook or a pause may be back. */
const lateMilliseconds = 5_000;

/** The token may have been renewed since it was read: then a refusal proves nothing yet. */
async function postWithToken(options: HttpActuatorOptions, url: string, body: string): Promise<PostAnswer> {
  const age = options.clock.stopwatch();
  const token = await options.token?.current();
  const late = 'it took too long to read its token';
  if (age() > lateMilliseconds) throw new Unavailable(`POST ${url}: ${late}`, { statusText: late });
  const answer = await postOrThrow(options, { url, body, token });
  if (answer.status !== 401 || options.token === undefined) return answer;
  options.token.forget();
  const renewed = await options.token.current();
  return renewed === token || age() > lateMilliseconds
    ? answer
    : postOrThrow(options, { url, body, token: renewed });
}

async function postOrThrow(
  { fetch = globalThis.fetch, clock, timeoutSeconds }: HttpActuatorOptions,
  request: Parameters<typeof post>[0],
): Promise<PostAnswer> {
  try {
    return await post(request, { fetch, clock, timeoutSeconds });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unavailable(`POST ${request.url}: ${why}`, { cause: error, statusText: why });
  }
}

/** Of the header's two forms only seconds are taken: the other one compares two machines' clocks. */
function retryAfterIn({ retryAfter = '' }: PostAnswer): { retryAfterSeconds?: number } {
  if (!/^\d+$/.test(retryAfter)) return {};
  return { retryAfterSeconds: Math.min(Number(retryAfter), limits.retryAfterSeconds) };
}

function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error('the URL of the provider must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('the URL of the provider must have no user, password, query or fragment');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
