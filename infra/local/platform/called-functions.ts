import { createUnderWay } from '../../../shared/async/in-flight.ts';
import { type AppOptions, createApp } from '../../../shared/http/app.ts';
import type { Flight } from '../../../shared/http/capacity.ts';
import { failureResponse } from '../../../shared/http/failures.ts';
import type { Handler } from '../../../shared/http/function.ts';
import type { HttpRequest } from '../../../shared/http/message.ts';
import type { Post, PostRequest } from '../eventing/post.ts';

/** Nothing listens there: it stands in the place of an address. */
const url = 'http://functions';

export interface CalledFunctions {
  url: string;
  /** Answers what is sent to a path of `url`. */
  post: Post;
  /** Resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Functions that are called as if over HTTP, without it. */
export function calledFunctions(
  handlers: Readonly<Record<string, Handler>>,
  options: AppOptions,
): CalledFunctions {
  const inFlight = createUnderWay<Flight>();
  const app = createApp(handlers, { ...options, inFlight });
  return {
    url,
    async post(request) {
      const { status, headers, body } = await app(received(request)).catch((error: unknown) => {
        options.log.error('unexpected error', { error });
        return failureResponse(error);
      });
      return { status, headers: { ...headers }, body: Buffer.from(body) };
    },
    close: () => inFlight.idle(),
  };
}

function received({ url: address, headers, body }: PostRequest): HttpRequest {
  const [path = '', ...query] = address.slice(url.length).split('?');
  return {
    method: 'POST',
    path,
    query: query.join('?'),
    headers,
    readBody: async (limitBytes) => (body.length > limitBytes ? body.length : body),
  };
}
