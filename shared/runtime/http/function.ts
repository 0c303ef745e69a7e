import middy from '@middy/core';
import type { EventOf, EventType, OutEvent } from '../../../events/types.ts';
import type { FunctionContext, RequestContext } from './context.ts';
import { RequestTimedOut } from './failures.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { accessLog } from './middleware/access-log.ts';
import { body } from './middleware/body.ts';
import { failures } from './middleware/failures.ts';
import { parse } from './middleware/parse.ts';
import type { Delivery } from './middleware/request.ts';
import { validate } from './middleware/validate.ts';
import { reply } from './reply.ts';

/** Answers a request to one function; never rejects. */
export type Handler = (request: HttpRequest, context: FunctionContext) => Promise<HttpResponse>;

/** What a function says: nothing, its reply, or several events of which one is the reply. */
export type Said = OutEvent | readonly OutEvent[] | undefined;

export type Run<T extends EventType> = (event: EventOf<T>, context: RequestContext) => Promise<Said>;

/** A function that takes events of these types, with all that stands between it and HTTP. */
export function defineFunction<T extends EventType>(types: readonly T[], run: Run<T>): Handler {
  return async (request, context) => {
    const answer = async (
      delivery: Delivery<T>,
      _context: FunctionContext,
      { signal }: { signal: AbortSignal },
    ) => {
      if (delivery.event === undefined) throw new Error('the event was not validated');
      const { requestId, log, clock, emit } = context;
      const own = { requestId, log, clock, signal, emit: (event: OutEvent) => emit(event, signal) };
      return reply(await run(delivery.event, own), own.emit);
    };
    const timeoutEarlyResponse = (): never => {
      throw new RequestTimedOut(context.timeoutSeconds);
    };
    const handler = middy<Delivery<T>, HttpResponse, Error, FunctionContext>(answer, { timeoutEarlyResponse })
      // What is thrown passes these from the last to the first: the log line has the answer in it.
      .use([accessLog<T>(), failures<T>()])
      .use([body<T>(), parse<T>(), validate<T>(types)]);
    return handler({ request }, context);
  };
}
