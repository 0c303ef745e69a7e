import type middy from '@middy/core';
import type { CloudEvent } from '../../events/envelope.ts';
import { type EventOf, type EventType, parseEvent } from '../../events/types.ts';
import { withinDeadline } from '../async/timeout.ts';
import { readCloudEvent } from './cloud-events/cloud-event.ts';
import { MalformedEvent } from './cloud-events/well-formed.ts';
import type { FunctionContext } from './context.ts';
import { BodyTooLarge, failureKind, failureResponse, RequestTimedOut } from './failures.ts';
import type { HttpRequest, HttpResponse } from './message.ts';

/** A request on its way to the function, with what was read of it. */
export interface Delivery<T extends EventType = EventType> {
  request: HttpRequest;
  cloudEvent?: CloudEvent;
  /** The event, when it has been found to be of a type the function takes. */
  event?: EventOf<T>;
}

type Middleware<T extends EventType> = middy.MiddlewareObj<Delivery<T>, HttpResponse, Error, FunctionContext>;

/** Works on a request for as long as it may take by the instance's clock. Throws RequestTimedOut. */
export const inTime = <T>(
  { clock, getRemainingTimeInMillis }: Pick<FunctionContext, 'clock' | 'getRemainingTimeInMillis'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withinDeadline(clock, getRemainingTimeInMillis(), work, () => new RequestTimedOut());

/** Reads the body, within its limit and the request's time, and lets pass only events of these types. */
export const reading = <T extends EventType>(types: readonly T[]): Middleware<T> => ({
  async before({ event: delivery, context }) {
    const body = await inTime(context, () => bodyOf(delivery.request, context));
    delivery.cloudEvent = readCloudEvent(delivery.request.headers, body);
    const found = parseEvent(delivery.cloudEvent, types);
    if (found.kind === 'malformed') throw new MalformedEvent(found.field, found.why);
    delivery.event = found.event;
  },
});

/** Throws BodyTooLarge. */
export async function bodyOf(
  request: HttpRequest,
  { bodyLimitBytes }: Pick<FunctionContext, 'bodyLimitBytes'>,
): Promise<Uint8Array> {
  const body = await request.readBody(bodyLimitBytes);
  if (typeof body === 'number') throw new BodyTooLarge(body, bodyLimitBytes);
  return body;
}

/** Answers for what is thrown. Logs one line for each request: what came, how it ended, how long it took. */
export const answering = <T extends EventType>(): Middleware<T> => ({
  after: logRequest,
  onError(request) {
    const { error, context } = request;
    request.response = failureResponse(error);
    // The sender gets the full text of every other failure. This one is in the log alone, with its stack.
    if (failureKind(error) === 'unexpected') context.log.error('unexpected error', { error });
    logRequest(request);
  },
});

function logRequest({
  event: { cloudEvent },
  context,
  response,
  error,
}: middy.Request<Delivery, HttpResponse, Error, FunctionContext>): void {
  const fields = {
    status: response?.status,
    milliseconds: context.age(),
    type: cloudEvent?.type,
    event: cloudEvent?.id,
    subject: cloudEvent?.subject,
    reply: response?.headers['ce-type'],
  };
  if (response !== undefined && response !== null && response.status < 400)
    context.log.info('request', fields);
  else context.log.warn('request', { ...fields, failure: failureKind(error), why: error?.message });
}
