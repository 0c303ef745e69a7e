import withMiddleware from '@middy/core';
import type { EventOf, EventType, OutEvent } from '../../events/types.ts';
import type { FunctionContext, RequestContext } from './context.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { accessLog } from './middleware/access-log.ts';
import { body } from './middleware/body.ts';
import { failures } from './middleware/failures.ts';
import { parse } from './middleware/parse.ts';
import type { Delivery } from './middleware/request.ts';
import { validate } from './middleware/validate.ts';
import { readsReply } from './prefer-reply.ts';
import { reply, type Said } from './reply.ts';
import { countAge } from './request-metrics.ts';
import { inTime } from './request-timeout.ts';
import { traceDelivery } from './trace-delivery.ts';

/** Answers a request to one function; never rejects. */
export type Handler = (request: HttpRequest, context: FunctionContext) => Promise<HttpResponse>;
export type Run<T extends EventType> = (event: EventOf<T>, context: RequestContext) => Promise<Said>;

/** A function that takes events of these types, with all that stands between it and HTTP. */
export function defineFunction<T extends EventType>(types: readonly T[], run: Run<T>): Handler {
  const handler = withMiddleware<Delivery<T>, HttpResponse, Error, FunctionContext>(
    (delivery: Delivery<T>, context: FunctionContext) =>
      inTime(context, (signal) => answer(run, delivery, context, signal)),
    // It would go by a clock of its own.
    { timeoutEarlyInMillis: 0 },
  )
    // What is thrown passes these from the last to the first: the log line is written when the answer is known.
    .use([accessLog<T>(), failures<T>()])
    .use([body<T>(), parse<T>(), validate<T>(types)]);
  return (request, context) => handler({ request }, context);
}

async function answer<T extends EventType>(
  run: Run<T>,
  { request: { headers }, cloudEvent, event }: Delivery<T>,
  context: FunctionContext,
  signal: AbortSignal,
): Promise<HttpResponse> {
  if (cloudEvent === undefined || event === undefined) throw new Error('the event was not validated');
  countAge(context, cloudEvent);
  const { requestId, clock, claim } = context;
  const emit = (said: OutEvent, sooner?: AbortSignal): Promise<void> =>
    context.emit(said, sooner === undefined ? signal : AbortSignal.any([signal, sooner]));
  const about = { requestId, clock, signal, readsReply: readsReply(headers), claim, emit };
  return traceDelivery(context, { headers, event: cloudEvent }, async (log) =>
    reply(await run(event, { ...about, log }), emit),
  );
}
