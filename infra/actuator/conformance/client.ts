import { type Operation, pathOf } from '../../../shared/actuator/contract.ts';
import type { HttpAnswer } from '../../../shared/actuator/read-answer.ts';
import { type Fetch, post } from '../../../shared/adapters/actuator/post.ts';
import type { KubeObject } from '../../../shared/kubernetes/objects.ts';
import { cut } from '../../../shared/text/truncate.ts';
import type { Clock } from '../../../shared/time/clock.ts';
import { printable } from '../../terminal/words.ts';

export interface ClientOptions {
  /** Without a slash at the end. */
  url: string;
  token: string | undefined;
  /** For one request. */
  timeoutSeconds: number;
  clock: Clock;
  fetch: Fetch;
}

/** A question and what came of it. */
export interface Exchange {
  path: string;
  seconds: number;
  /** Undefined when none came; `silence` says why. */
  answer: HttpAnswer | undefined;
  silence: string;
}

export interface Question {
  machine: KubeObject;
  cluster: KubeObject | undefined;
}

/** Asks as phaseout would, and remembers every exchange. */
export type Client = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions) {
  const { url, token: ownToken, clock } = options;
  const exchanges: Exchange[] = [];

  /** Sends any body to any path; without a token if none is named. */
  async function send(path: string, body: string, token: string | undefined): Promise<Exchange> {
    const startedAt = clock.now();
    const came = await post({ url: `${url}${path}`, token, body }, options).then(
      (answer) => ({ answer, silence: '' }),
      (error: unknown) => ({
        answer: undefined,
        silence: error instanceof Error ? error.message : String(error),
      }),
    );
    const exchange = { path, seconds: (clock.now() - startedAt) / 1000, ...came };
    exchanges.push(exchange);
    return exchange;
  }

  return {
    exchanges,
    token: ownToken,
    send,
    ask: (operation: Operation, question: Question, token = ownToken): Promise<Exchange> =>
      send(pathOf(operation), JSON.stringify(question), token),
  };
}

const longestShown = 300;

/** What came back, in one line. */
export function shown({ path, answer, silence }: Exchange): string {
  if (answer === undefined) return `${path}: ${silence}`;
  const text = printable(answer.text);
  return `${path}: ${answer.status} ${text === '' ? '(empty)' : cut(text, longestShown)}`;
}
