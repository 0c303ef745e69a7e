import { type Invented, refusals } from '../../wire/invented.ts';
import type { Fault } from '../fault.ts';
import { isEviction, isNoWatch, isWrite, requestFault } from './request-fault.ts';

const conflict = requestFault({
  name: 'conflict',
  about: 'Writes are answered 409 although nobody else wrote.',
  becomes: 'are answered 409',
  fits: (exchange) => isWrite(exchange) && exchange.verb !== 'create',
  fate: () => ({ answer: refusals.conflict }),
});

const evictionConflict = requestFault({
  name: 'eviction-conflict',
  about: 'Evictions are answered 409, as when the Pod was written in the meantime.',
  becomes: 'are answered 409',
  fits: isEviction,
  fate: () => ({ answer: refusals.conflict }),
});

/** Evictions are few among all requests. An API server throttles the client that sends too many of them. */
const evictionsThrottled = requestFault({
  name: 'evictions-throttled',
  about: 'Evictions are answered 429, with a time to come again.',
  becomes: 'are answered 429',
  fits: isEviction,
  fate: (_exchange, { random }) => ({
    answer: random.oneOf([refusals.throttled, refusals.throttledForLong]),
  }),
});

interface Answering {
  name: string;
  about: string;
  answers: readonly Invented[];
}

/** Any request may be answered so. */
const answering = ({ name, about, answers }: Answering): Fault =>
  requestFault({
    name,
    about,
    becomes: `are answered ${answers[0]?.status}`,
    fate: (_exchange, { random }) => ({ answer: random.oneOf(answers) }),
  });

/** In half of all runs the cause is an unreachable webhook. Its message names another port each time. */
const serverError = requestFault({
  name: 'server-error',
  about: 'The API answers 500.',
  becomes: 'are answered 500',
  fate: (_exchange, { random, world }) => {
    const internal = random.oneOf([refusals.internal]);
    const isWebhook = random.fork('webhook').chance(0.5);
    return { answer: isWebhook ? { ...internal, message: resetAt(world.now()) } : internal };
  },
});

const resetAt = (now: number): string =>
  'Internal error occurred: failed calling webhook "guard.example.com": ' +
  `read tcp 10.0.0.5:${32_768 + (now % 28_000)}->10.96.4.4:443: read: connection reset by peer`;

const timeoutWithEffect = requestFault({
  name: 'gateway-timeout-with-effect',
  about: 'Requests are answered 504 after they were done.',
  becomes: 'are done and answered 504',
  fits: isNoWatch,
  fate: () => ({ answerAfter: refusals.timeout }),
});

const internalWithEffect = requestFault({
  name: 'server-error-with-effect',
  about: 'Writes are answered 500 after they were done.',
  becomes: 'are done and answered 500',
  fits: isWrite,
  fate: () => ({ answerAfter: refusals.internal }),
});

/** Answers of API servers, and of what stands before them, in the place of the right ones. */
export const answers: readonly Fault[] = [
  conflict,
  evictionConflict,
  evictionsThrottled,
  answering({
    name: 'throttled',
    about: 'The API answers 429 and does not say when to come again.',
    answers: [refusals.throttledSomehow],
  }),
  answering({
    name: 'throttled-with-retry-after',
    about: 'The API answers 429 and says when to come again, soon or late.',
    answers: [refusals.throttled, refusals.throttledForLong],
  }),
  serverError,
  answering({
    name: 'unavailable',
    about: 'The API, or what stands before it, answers 502 or 503.',
    answers: [refusals.unavailable, refusals.badGateway],
  }),
  answering({
    name: 'gateway-timeout',
    about: 'The API answers 504 to what was not done.',
    answers: [refusals.timeout],
  }),
  timeoutWithEffect,
  internalWithEffect,
  answering({
    name: 'unauthorized',
    about: 'The API does not know our credentials for a while: 401.',
    answers: [refusals.unauthorized],
  }),
];
